export function browserArguments(off?: string[]): string[];
