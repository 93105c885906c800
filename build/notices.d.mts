export const bundled: { library: string[]; demo: string[]; extension: string[] };
export function notices(root: string, packages?: string[]): string;
