// The length of a summary, in the units that the page offers.

export type Unit = "words" | "sentences" | "characters";

/** A budget of the core in one of these units. */
export type Length = { words: number } | { sentences: number } | { characters: number };

export const length = (unit: Unit, amount: number): Length => ({ [unit]: amount }) as Length;

export function lengthOf(length: Length): [unit: Unit, amount: number] {
  return Object.entries(length)[0] as [Unit, number];
}
