import type { Block } from "cerasum";
import { blocksOf } from "../../../common/read/blocks.ts";
import { markBlocks } from "../../../common/read/marks.ts";
import { type Part, join } from "../../../common/read/parts.ts";
import { documentOf } from "./document.ts";
import { flatten } from "./flat.ts";
import { TooDeep } from "./tree.ts";

/** The text of HTML that is parts of a document: all that is visible. The same as partsOfPage in cmd/cerasum/internal/ingest/packed.go. */
export const readPages = (pages: readonly string[]): { text: string; blocks: Block[] } => join(pages.flatMap(partsOfPage));

function partsOfPage(html: string): Part[] {
  try {
    const page = documentOf(html);
    markBlocks(page);
    return blocksOf(page.body);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return flatten(html).text.split("\n\n").filter((text) => text.trim() !== "").map((text) => ({ kind: "paragraph", text: text.trim() }));
  }
}
