import type { Plugin } from "vite";

export function trustedTypes(): Plugin;
