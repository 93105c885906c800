import type { test as nodeTest } from "node:test";

export const again: typeof nodeTest;
export const slow: typeof nodeTest;
export const timed: typeof nodeTest;
export const test: typeof nodeTest;
export function count(few: number, all: number): number;
export function within(took: number, limit: number, what?: string): void;
export function effort(numRuns: number): { numRuns: number; interruptAfterTimeLimit?: number; seed?: number };
