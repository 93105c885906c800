import type { Plugin } from "vite";
export function importAgain(code: string): string;
export function importsAgain(): Plugin;
