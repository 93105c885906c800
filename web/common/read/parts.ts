// The blocks of an extracted text. Same rules as cmd/cerasum/internal/ingest/parts.go.

import type { Block, BlockKind } from "cerasum";

/** A block of extracted text. */
export interface Part {
  kind: BlockKind;
  text: string;
}

/** Kinds whose blocks are on consecutive lines; between others is a blank line. */
const TOGETHER: ReadonlySet<BlockKind> = new Set(["listItem", "tableRow"]);

/** The text of the parts, and its blocks. */
export function join(parts: readonly Part[]): { text: string; blocks: Block[] } {
  const pieces: string[] = [];
  const blocks: Block[] = [];
  let length = 0;
  parts.forEach(({ kind, text }, i) => {
    if (i > 0) {
      const gap = TOGETHER.has(kind) && parts[i - 1]!.kind === kind ? "\n" : "\n\n";
      pieces.push(gap);
      length += gap.length;
    }
    pieces.push(text);
    blocks.push([length, length + text.length, kind]);
    length += text.length;
  });
  return { text: pieces.join(""), blocks };
}

/** The parts of a text with blocks. */
export const partsOf = (text: string, blocks: readonly Block[]): Part[] => blocks.map(([start, end, kind]) => ({ kind, text: text.slice(start, end) }));

/** The blocks of the first `length` units of a text. */
export const blocksWithin = (blocks: readonly Block[], length: number): Block[] =>
  blocks.filter(([start]) => start < length).map(([start, end, kind]) => [start, Math.min(end, length), kind]);
