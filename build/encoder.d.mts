export const runtime: string[];
export const encoder: string;
export const encoderFiles: string[];
export const shippedModule: string;
export function shipped(file: string): string | Buffer;
