// The sentence under the pointer or focus. Its quote, its place in the
// document, its cell and its dot are highlighted together.

export interface Pointed {
  /** The document's id. */
  id: number;
  /** Where the sentence begins. */
  start: number;
}

/** Sends "change" when another sentence is highlighted. */
class Pointing extends EventTarget {
  #at: Pointed | undefined;

  get at(): Pointed | undefined {
    return this.#at;
  }

  set(at: Pointed | undefined): void {
    if (at?.id === this.#at?.id && at?.start === this.#at?.start) return;
    this.#at = at;
    this.dispatchEvent(new Event("change"));
  }
}

export const pointing = new Pointing();

/** Elements of a sentence have data-sentence. */
export const sentenceName = ({ id, start }: Pointed): string => `${id}.${start}`;

/** Points at what the pointer or the focus is on, among the elements in `box` that have data-sentence. */
export function pointWithin(box: HTMLElement): void {
  const sentence = (target: EventTarget | null): Pointed | undefined => {
    const name = target instanceof Element ? target.closest<HTMLElement>("[data-sentence]")?.dataset["sentence"] : undefined;
    if (name === undefined) return undefined;
    const [id, start] = name.split(".").map(Number) as [number, number];
    return { id, start };
  };
  const focused = () => (box.contains(document.activeElement) && document.activeElement!.matches(":focus-visible") ? sentence(document.activeElement) : undefined);
  box.addEventListener("pointerover", ({ target }) => pointing.set(sentence(target) ?? focused()));
  box.addEventListener("pointerleave", () => pointing.set(focused()));
  box.addEventListener("focusin", ({ target }) => {
    if ((target as Element).matches(":focus-visible")) pointing.set(sentence(target));
  });
  box.addEventListener("focusout", () => pointing.set(undefined));
}
