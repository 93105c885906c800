// Clusters of a given size, of a long sample.

import { samples } from "../tests/clusters.mjs";

/** Documents with `count` sentences between them, in documents of about 20. */
export function cluster(count) {
  const sentences = samples["en-long"].map(({ text }) => text.split(/(?<=[.!?]) |\n\n/));
  const all = sentences.flat();
  const documents = Array.from({ length: Math.max(2, Math.round(count / 20)) }, () => []);
  for (let i = 0; i < count; i++) documents[i % documents.length].push(i < all.length ? all[i] : all[i % all.length].replace(/\w+/, (word) => `${word} ${i}`));
  return { documents: documents.map((lines) => lines.join(" ")) };
}
