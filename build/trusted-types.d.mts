import type { Plugin } from "vite";

export function trustedTypes(): Plugin;
export function trustedRuntime(name: string, content: string | Buffer): string | Buffer;
