// Method auto where there is more text than it has the memory for: the summary
// is made by instant, and says so.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createCore, type CoreOptions, OptionError, type SentenceEncoder } from "cerasum";
import { startWorker } from "../dist/node-worker.js";
import { MOST_TEXT } from "../dist/too-large.js";
import { ferry } from "./cluster.js";
import { isDOM, rejection } from "./support.js";

const budget = { budget: { words: 40 } } as const;
const lastWords = "fatal error: out of memory";

/** Options that start ordinary workers, of which each ends for want of memory when it is to summarize by one of the methods. */
function small(methods: string[], words = lastWords): { options: CoreOptions; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    options: {
      worker: () => {
        const worker = startWorker(new URL("../dist/worker.node.js", import.meta.url));
        let listener: ((event: { data: unknown }) => void) | undefined;
        return {
          ...worker,
          addEventListener(type, heard) {
            if (type === "message") listener = heard;
            worker.addEventListener(type, heard);
          },
          postMessage(message) {
            const { kind, options } = message as { kind: string; options?: { method?: string } };
            const { method = "auto" } = options ?? {};
            if (kind === "summarize") asked.push(method);
            if (kind === "summarize" && methods.includes(method)) listener!({ data: { kind: "crashed", message: words } });
            else worker.postMessage(message);
          },
        };
      },
    },
  };
}

const encoder: SentenceEncoder = {
  embed: async (texts) => ({ embeddings: new Float32Array(texts.length * 2).fill(1), dimensions: 2 }),
};

describe("too much text for auto", () => {
  it("the core runs out of memory: instant makes the summary, of the documents as they were", async () => {
    const { options, asked } = small(["auto"]);
    const core = createCore(options);
    const own = ferry.map((document) => ({ ...document }));
    const call = core.summarize(own, { ...budget, query: "ferry", fill: true });
    own.length = 0;
    const summary = await call;
    assert.deepEqual(asked, ["auto", "instant"]);
    assert.equal(summary.method, "instant");
    assert.equal(summary.fallback, `cerasum stopped: ${lastWords}`);
    assert.deepEqual(summary.sentences, (await core.summarize(ferry, { ...budget, query: "ferry", method: "instant" })).sentences);
    core.destroy();
  });

  it("with an encoder, and with embeddings, too", async () => {
    const { options, asked } = small(["auto"]);
    const core = createCore(options);
    const { method, fallback } = await core.summarize(ferry, budget, { encoder });
    assert.deepEqual([method, fallback], ["instant", `cerasum stopped: ${lastWords}`]);
    const session = await core.open(ferry);
    const { embeddings, dimensions } = await encoder.embed(session.texts);
    await session.embed({ embeddings, dimensions, languages: ["en"] });
    asked.length = 0;
    const given = await session.summarize({ ...budget, denseWeight: 0.5 });
    assert.deepEqual([given.method, asked], ["instant", ["auto", "instant"]]);
    const again = await session.summarize(budget);
    assert.deepEqual([again.fallback, asked], [given.fallback, ["auto", "instant", "instant"]], "auto is not tried again");
    core.destroy();
  });

  it("other methods, other crashes and instant itself reject as ever", async () => {
    for (const [methods, method, words] of [[["salience"], "salience", lastWords], [["auto", "instant"], "auto", lastWords], [["auto"], "auto", "panic: index out of range"]] as const) {
      const core = createCore(small([...methods], words).options);
      const error = await rejection(core.summarize(ferry, { ...budget, method }));
      assert.ok(isDOM(error, "OperationError") && String(error).includes(words), `${method}: ${String(error)}`);
      core.destroy();
    }
  });

  it("more than is worth trying: auto is not tried, the encoder not asked", async () => {
    const { options, asked } = small(["auto"]);
    const core = createCore(options);
    // Blank space costs nothing but its length.
    const documents = [...ferry, { text: " ".repeat(MOST_TEXT) }];
    const refused: SentenceEncoder = { embed: () => assert.fail("the encoder was asked") };
    const { method, fallback = "", sentences } = await core.summarize(documents, budget, { encoder: refused });
    assert.deepEqual([method, asked], ["instant", ["instant"]]);
    assert.match(fallback, /^\d{8} characters exceed the \d{8} that method auto can process/);
    assert.ok(sentences.length > 0);
    const length = ferry.reduce((n, { text }) => n + text.length, 0);
    asked.length = 0;
    await core.summarize([...ferry, { text: " ".repeat(MOST_TEXT - length) }], budget);
    assert.deepEqual(asked, ["auto", "instant"], "so much is tried");
    core.destroy();
  });

  it("what are no documents is refused by the core", async () => {
    const core = createCore();
    for (const documents of [undefined, "text", [null], [{ text: 5 }]]) {
      assert.ok(await rejection(core.summarize(documents as never, budget)) instanceof OptionError, JSON.stringify(documents));
    }
    core.destroy();
  });
});
