export function notices(root: string, packages?: string[]): string;
