import { Summarizer } from "cerasum";

const reports = [
  {
    title: "Harbour Post",
    text: "The ferry Aurora ran aground on a sandbank outside Vellin on Monday morning. All 212 passengers were taken off by lifeboats, and nobody was hurt. The harbour master said that fog had hidden the buoys. Cafés on the quay gave the passengers hot soup.",
  },
  {
    title: "Evening Bell",
    text: "Thick fog lay over Vellin when the Aurora left its course and struck a sandbank. Lifeboats brought its 212 passengers ashore within two hours. Divers are to look at the hull tomorrow. The company will run buses until the ferry floats again.",
  },
];
const abroad = [
  reports[0],
  {
    title: "Diario del Puerto",
    text: "El transbordador Aurora encalló en un banco de arena frente a Vellin el lunes por la mañana. Los botes salvavidas desembarcaron a los 212 pasajeros y nadie resultó herido. El alcalde pidió un nuevo faro.",
  },
];

/** One item for each sentence, with the name of its document. */
function show(id, { sentences }, documents) {
  document.getElementById(id).replaceChildren(...sentences.map(({ text, document: number }) => {
    const item = document.createElement("li");
    item.textContent = `${text} (${documents[number].title})`;
    return item;
  }));
}

try {
  // Loads only the core, 7 MB uncompressed.
  const summarizer = await Summarizer.create();
  show("summary", await summarizer.summarizeDocuments(reports, { budget: { sentences: 2 } }), reports);

  // For texts in two languages the encoder is needed, 38 MB: it is loaded now.
  const polyglot = await Summarizer.create({ encoder: {} });
  show("abroad", await polyglot.summarizeDocuments(abroad, { budget: { sentences: 2 } }), abroad);
  const { embeddings, dimensions } = await polyglot.embed([abroad[0].text, abroad[1].text]);
  const row = (i) => embeddings.subarray(i * dimensions, (i + 1) * dimensions);
  const cosine = row(0).reduce((sum, x, d) => sum + x * row(1)[d], 0);
  document.getElementById("state").textContent = `The two reports have a cosine of ${cosine.toFixed(2)}.`;
  // Ends the workers when no summarizer uses them any more.
  summarizer.destroy();
  polyglot.destroy();
} catch (error) {
  document.getElementById("state").textContent = `${error.name}: ${error.message}`;
  throw error;
}
