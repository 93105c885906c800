// Clusters made from the page's samples: their paragraphs and sentences dealt
// out anew, by numbers that are the same in every run.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib.mjs";

const folder = join(root, "web/demo/samples");

export const samples = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => [name.slice(0, -".json".length), JSON.parse(readFileSync(join(folder, name), "utf8")).documents]),
);

// The page has none in German.
samples.de = [
  "Die Fähre nach Orvik hat am Montag zwei Stunden zu spät abgelegt. In ihrer Schraube hatte sich eine Kette verfangen. Verletzt wurde niemand. Die Reederei entschuldigte sich bei den 40 Fahrgästen und gab ihnen das Geld zurück.",
  "Eine Kette in der Schraube hat am Montag die Fähre nach Orvik aufgehalten. Taucher der Feuerwehr schnitten sie los. Nach zwei Stunden konnte das Schiff mit 40 Fahrgästen ablegen. Woher die Kette stammt, ist noch nicht bekannt. Das Hafenamt sucht nun nach ihrem Besitzer.",
  "Das Hafenamt will wissen, wem die Kette gehört, die am Montag die Fähre nach Orvik lahmgelegt hat. Im Hafen liegen 14 Kutter, und bei dreien von ihnen fehlt eine Kette. Der Hafenmeister sprach von Leichtsinn. Die Taucher brauchten zwei Stunden, um die Schraube zu befreien. Danach lief die Fähre ohne weitere Schwierigkeiten aus.",
].map((text) => ({ text }));

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `count` clusters, of all samples in turn: some of their documents, cut, shuffled and mended. */
export function clusters(count) {
  const names = Object.keys(samples);
  return Array.from({ length: count }, (_, i) => {
    const next = random(i + 1);
    const documents = samples[names[i % names.length]]
      .filter(() => next() < 0.85)
      .map(({ text, title, source, language }) => {
        let parts = text.split(/\n\n|(?<=[.!?…»”"]) /).filter(() => next() < 0.8);
        if (next() < 0.5) parts = parts.map((part) => [next(), part]).sort((a, b) => a[0] - b[0]).map(([, part]) => part);
        return { text: parts.join(next() < 0.5 ? " " : "\n\n"), ...(next() < 0.5 && { title, source }), ...(language && { language }) };
      });
    return { id: i, documents: documents.length > 0 ? documents : samples[names[i % names.length]] };
  });
}
