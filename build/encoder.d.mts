export const runtime: string[];
export const encoder: string;
