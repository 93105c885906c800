// The files that a core or an encoder loads: where they are at hand, as under Node, it
// is available before its first start.

const files = new WeakMap<object, () => readonly string[] | undefined>();

/** Tells the addresses of the files that a part needs; undefined if they are not known. */
export const needsFiles = (part: object, list: () => readonly string[] | undefined): void => void files.set(part, list);

/** Whether all files of a part are at hand. */
export const hasFiles = (part: object, present: (url: string) => boolean): boolean => files.get(part)?.()?.every(present) ?? false;
