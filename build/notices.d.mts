export const bundled: { library: string[]; demo: string[]; extension: string[] };
export function notices(root: string, packages?: string[], programs?: string[]): string;
export function onlyBundled(names: string[]): {
  name: string;
  generateBundle(this: { error(message: string): never }, options: unknown, files: Record<string, object>): void;
};
