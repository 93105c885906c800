import type { Plugin } from "vite";
export function importsAgain(): Plugin;
