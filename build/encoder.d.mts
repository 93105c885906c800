export const runtime: string[];
export const encoder: string;
export const encoderFiles: string[];
export const encoderRuntime: string[];
