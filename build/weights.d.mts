export const weights: { name: string; method: string; encoder: string; licence: string; free: boolean; files: { path: string; bytes: number }[] }[];
export const manifest: string;
export const files: [path: string, file: string][];
