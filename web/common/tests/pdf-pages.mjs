// Pages of PDFs that several tests read, for makePDF.

import { column } from "./pdf.mjs";

const head = (n) => [{ text: n % 2 ? "The Nessel Gazette" : "News of the coast", y: 30, size: 8 }, { text: `${n + 11}`, x: 190, y: 580, size: 8 }];
/** Running heads, words divided at line ends, columns, a list, Japanese, a mark across the page. */
export const gazette = [
  [
    ...head(0),
    { text: "The harbour of Nessel", y: 70, size: 18 },
    { text: "is closed", y: 92, size: 18 },
    ...column([
      "Divers are to clear the channel of stones, the adminis-", "tration of Nessel said. A well-known captain called it well-", "meant. The captain of the Anne-",
      "Marie waits with her ships of the year 2024-", "25 and says nothing.",
    ], { y: 130 }),
    ...column(["Fishermen ask for help. They may use the pier of", "Ost until the harbour opens, and the sentence goes on"], { y: 205 }),
    { text: "DRAFT", x: 300, y: 500, size: 60, turned: true },
  ],
  [
    ...head(1),
    ...column(["to the next page without a stop.", "It ends here."]),
    ...column(["The left column begins", "here and it goes on to the"], { y: 110 }),
    ...column(["top of the right one.", "That is all of it."], { x: 220 }),
  ],
  [...head(2), ...column(["• The first of a list.", "• The second of it."]), { text: "東京の港は三週間", y: 120, japanese: true }, { text: "閉鎖される。", y: 132, japanese: true }],
  [...head(3), ...column(["The last page is short."])],
];

const line = (y, text, before = "", after = "") => ({ raw: `q ${before} BT /F 10 Tf 1 0 0 1 50 ${600 - y} Tm (${text}) Tj ${after} ET Q` });
/** Text that nobody sees has the word "secret". */
export const hidden = [
  [
    line(60, "The harbour of Nessel is open again."),
    line(72, "Everybody is glad", "", "3 Tr (, secret,) Tj 0 Tr ( of it.) Tj"),
    line(100, "A secret of the mayor stands here.", "3 Tr"),
    line(130, "A secret in white stands here.", "1 g"),
    line(160, "A secret in nearly white stands here.", "0.99 0.99 1 rg"),
    line(190, "A secret on red stands here.", "1 0 0 rg 40 400 300 20 re f"),
    line(220, "White letters on blue can be seen.", "0 0 1 rg 40 370 300 20 re f 1 g"),
    line(250, "White letters on a picture can be seen.", "q 300 0 0 20 40 340 cm /Im Do Q 1 g"),
    line(280, "Outlined letters can be seen.", "1 g 0 G 2 Tr"),
    line(310, "Grey letters can be seen.", "0.5 g"),
  ],
  [line(60, "The second page has text that everybody can see."), line(72, "A secret in outlines.", "1 Tr 1 G")],
];
/** A scan whose recognized text is invisible. */
export const recognized = [[{ raw: "q 400 0 0 600 0 0 cm /Im Do Q" }, { raw: "BT 3 Tr /F 10 Tf 1 0 0 1 50 500 Tm (The harbour of Nessel is open again.) Tj ET" }]];
