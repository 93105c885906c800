// Values and classes as Web IDL has them.

/** Gives the members of a class the properties of an interface's: enumerable, and the class its names. */
export function describeInterface(constructor: { readonly prototype: object }, name: string, members: readonly string[], statics: readonly string[] = []): void {
  Object.defineProperty(constructor, "name", { value: name });
  Object.defineProperty(constructor.prototype, Symbol.toStringTag, { value: name, configurable: true });
  for (const member of members) Object.defineProperty(constructor.prototype, member, { enumerable: true });
  for (const member of statics) Object.defineProperty(constructor, member, { enumerable: true });
}

/** A dictionary: null and undefined are an empty one. */
export function dictionary<T extends object>(value: T | null | undefined, name: string): Partial<T> {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" && typeof value !== "function") throw new TypeError(`${name}: want an object`);
  return value;
}

/** A DOMString: a symbol is a TypeError. */
export const string = (value: unknown): string => `${value as string}`;

/** A sequence<DOMString>: any iterable object. */
export function strings(value: unknown, name: string, want: string): string[] {
  if (isObject(value)) {
    const method = (value as Partial<Iterable<unknown>>)[Symbol.iterator];
    if (typeof method === "function") {
      const iterator: Iterator<unknown> = method.call(value);
      const { next } = iterator;
      // Without return: a conversion that fails does not close the caller's iterator.
      return Array.from({ [Symbol.iterator]: () => ({ next: () => next.call(iterator) }) }, string);
    }
  }
  throw new TypeError(`${name}: want ${want}`);
}

export const isObject = (value: unknown): value is object => (typeof value === "object" && value !== null) || typeof value === "function";
