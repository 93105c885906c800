// Boxes, and what is asked of elements: with the getters of their prototypes, since
// elements of a page can have names that hide properties of a form or of the document.

import { MIN_SIZE } from "../../../common/read/legible.ts";

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const getter = <Value>(prototype: object, name: string): ((of: Element) => Value) => {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name)!;
  return (of) => get!.call(of) as Value;
};
export const client = {
  left: getter<number>(Element.prototype, "clientLeft"),
  top: getter<number>(Element.prototype, "clientTop"),
  width: getter<number>(Element.prototype, "clientWidth"),
  height: getter<number>(Element.prototype, "clientHeight"),
};
export const scroll = {
  left: getter<number>(Element.prototype, "scrollLeft"),
  top: getter<number>(Element.prototype, "scrollTop"),
  width: getter<number>(Element.prototype, "scrollWidth"),
  height: getter<number>(Element.prototype, "scrollHeight"),
};
export const offset = {
  width: getter<number>(HTMLElement.prototype, "offsetWidth"),
  height: getter<number>(HTMLElement.prototype, "offsetHeight"),
};
export const parentOf = getter<Element | null>(Node.prototype, "parentElement");
export const localName = getter<string>(Element.prototype, "localName");
export const boxOf = (element: Element): DOMRect => Element.prototype.getBoundingClientRect.call(element);
export const has = (element: Element, attribute: string): boolean => Element.prototype.hasAttribute.call(element, attribute);

export const common = (a: Box, b: Box): Box => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
export const within = (a: Box, b: Box): boolean => a.left >= b.left - 1 && a.top >= b.top - 1 && a.right <= b.right + 1 && a.bottom <= b.bottom + 1;
export const isEmpty = (box: Box): boolean => box.right - box.left < MIN_SIZE || box.bottom - box.top < MIN_SIZE;
