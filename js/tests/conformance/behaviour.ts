// Creation, availability, results and aborts: the algorithms of the standard.

import type { StandardSummarizerConstructor } from "../standard.js";
import { both, equal, of, ok, rejects, same, says, text, throws, tick, using, check } from "./harness.js";

const AVAILABILITIES = ["unavailable", "downloadable", "downloading", "available"];
interface Progress extends Event { loaded: number; total: number; lengthComputable: boolean }

of("Language tags");
const BAD = ["", " ", "en_US", "not a tag", "en-abc-invalid", "e", "x-foo", "i-klingon", "en-", "-en", "en--US", "en\0", "abcdefghi", "en-US-US-US", "root", "*", "en-u-", "de-1996-1996"];
both("malformed tags are a RangeError", async ({ Summarizer }) => {
  for (const tag of BAD) {
    for (const options of [{ expectedInputLanguages: ["en", tag] }, { expectedContextLanguages: [tag] }, { outputLanguage: tag }]) {
      await rejects(() => Summarizer.availability(options), RangeError, `availability ${JSON.stringify(options)}`);
      await rejects(() => Summarizer.create(options), RangeError, `create ${JSON.stringify(options)}`);
    }
  }
});
both("null is no tag", ({ Summarizer }) => rejects(() => Summarizer.availability({ outputLanguage: null as never }), RangeError));
both("well-formed tags are none", async ({ Summarizer }) => {
  for (const tag of ["en", "EN-us", "zh-Hant-TW", "sl-rozaj-biske", "de-CH-1996", "en-u-ca-gregory", "es-419", "cmn", "iw", "und", "art-x-mine", "qaa"]) {
    ok(AVAILABILITIES.includes(await Summarizer.availability({ expectedInputLanguages: [tag] })), tag);
  }
});
both("the input's are validated before the signal is looked at", ({ Summarizer }) =>
  rejects(() => Summarizer.create({ outputLanguage: "en_US", signal: AbortSignal.abort() }), RangeError));
says("are canonical and without repetition, in their order", (env) => using(env, {
  expectedInputLanguages: ["EN-us", "pt", "en-US", "iw", "he", "cmn-hans-cn"], expectedContextLanguages: ["pt-br", "PT-BR"], outputLanguage: "EN-us",
}, (s) => {
  same(s.expectedInputLanguages, ["en-US", "pt", "he", "zh-Hans-CN"]);
  same(s.expectedContextLanguages, ["pt-BR"]);
  equal(s.outputLanguage, "en-US");
}));

of("Availability");
both("is one of four values", async ({ Summarizer }) => ok(AVAILABILITIES.includes(await Summarizer.availability())));
both("is a promise that a task settles", async ({ Summarizer }) => {
  let settled = false;
  const promise = Summarizer.availability();
  ok(promise instanceof Promise, "a promise");
  void promise.then(() => (settled = true));
  for (let i = 0; i < 20; i++) await undefined;
  equal(settled, false);
  await promise;
});
says("is that of all types, formats, lengths and preferences", async ({ Summarizer }) => {
  const first = await Summarizer.availability();
  for (const type of ["tldr", "teaser", "key-points", "headline"] as const) {
    for (const format of ["plain-text", "markdown"] as const) {
      for (const length of ["short", "medium", "long"] as const) {
        for (const preference of ["auto", "speed", "capability"] as const) equal(await Summarizer.availability({ type, format, length, preference }), first, `${type} ${format} ${length}`);
      }
    }
  }
  ok(first !== "unavailable");
});
says("is available once it has been created", async (env) => using(env, {}, async () => equal(await env.Summarizer.availability(), "available")));
says("is downloading while what it needs is loaded, and downloadable again if that fails", async ({ Summarizer }) => {
  for (const fails of [false, true]) {
    let end!: () => void;
    const ready = new Promise<void>((resolve, reject) => (end = fails ? () => reject(new DOMException("gone", "NetworkError")) : resolve));
    const options = { expectedInputLanguages: ["en", "pt"], encoder: { embed: () => Promise.reject(new Error("not used")), ready: () => ready } };
    equal(await Summarizer.availability(options), "downloadable");
    const making = Summarizer.create(options);
    equal(await Summarizer.availability(options), "downloading");
    end();
    await making.then((s) => s.destroy(), () => undefined);
    equal(await Summarizer.availability(options), fails ? "downloadable" : "available");
  }
});
says("is unavailable in a language that is not the input's", async ({ Summarizer }) => {
  const options = { expectedInputLanguages: ["en-GB", "fr"], outputLanguage: "pt" };
  equal(await Summarizer.availability(options), "unavailable");
  ok(await Summarizer.availability({ ...options, outputLanguage: "en-US" }) !== "unavailable");
});
both("an unavailable one is a NotSupportedError of create", async ({ Summarizer, own }) => {
  await rejects(() => Summarizer.create({ expectedInputLanguages: ["en"], outputLanguage: own ? "und" : "pt" }), "NotSupportedError");
});
both("a document that is not active is found after the options are converted, and before tags are validated", async ({ page, own }) => {
  if (!page) return;
  const frame = document.createElement("iframe");
  frame.src = "/frame.html";
  document.body.append(frame);
  const scope = (): { ours?: StandardSummarizerConstructor; Summarizer: StandardSummarizerConstructor } => frame.contentWindow as never;
  while (!scope().ours) await tick(10);
  const Summarizer = own ? scope().Summarizer : scope().ours!;
  frame.remove();
  // Its errors are of its own classes.
  const name = (promise: Promise<unknown>): Promise<string> => promise.then(() => "resolved", (error: Error) => error.name);
  for (const options of [{}, { outputLanguage: "not a tag" }, { expectedInputLanguages: ["en_US"] }]) {
    equal(await name(Summarizer.create(options)), "InvalidStateError", `create ${JSON.stringify(options)}`);
    equal(await name(Summarizer.availability(options)), "InvalidStateError", `availability ${JSON.stringify(options)}`);
  }
  equal(await name(Summarizer.create({ outputLanguage: "not a tag", type: "poem" as never })), "TypeError", "create");
  equal(await name(Summarizer.availability({ outputLanguage: "not a tag", type: "poem" as never })), "TypeError", "availability");
});

of("Creation");
both("rejects with the reason of an aborted signal", async ({ Summarizer, own }) => {
  await rejects(() => Summarizer.create({ signal: AbortSignal.abort() }), "AbortError");
  const reason = new Error("no");
  if (!own) await rejects(() => Summarizer.create({ signal: AbortSignal.abort(reason) }), { exactly: reason });
  if (!own) await rejects(() => Summarizer.create({ signal: AbortSignal.abort(5) }), { exactly: 5 });
});
both("does not call the monitor if the signal is aborted", async ({ Summarizer }) => {
  let called = false;
  await Summarizer.create({ signal: AbortSignal.abort(), monitor: () => void (called = true) }).catch(() => undefined);
  equal(called, false);
});
both("calls the monitor at once", ({ Summarizer }) => {
  let called = false;
  void Summarizer.create({ monitor: () => void (called = true) }).then((s) => s.destroy(), () => undefined);
  ok(called);
});
both("rejects with what the monitor throws", async ({ Summarizer }) => {
  const reason = new Error("clumsy");
  await rejects(() => Summarizer.create({ monitor: () => { throw reason; } }), { exactly: reason });
});
says("with what it throws even if it has aborted", async ({ Summarizer }) => {
  const reason = new Error("clumsy");
  const controller = new AbortController();
  await rejects(() => Summarizer.create({ signal: controller.signal, monitor: () => { controller.abort(); throw reason; } }), { exactly: reason });
});
says("ignores what the monitor returns", async ({ Summarizer }) => {
  (await Summarizer.create({ monitor: (() => Promise.resolve(5)) as never })).destroy();
});
says("can be aborted by the monitor", async ({ Summarizer }) => {
  const controller = new AbortController();
  const reason = new Error("no");
  let events = 0;
  await rejects(() => Summarizer.create({
    signal: controller.signal,
    monitor: (m) => {
      m.addEventListener("downloadprogress", () => events++);
      controller.abort(reason);
    },
  }), { exactly: reason });
  await tick(20);
  equal(events, 0);
});
says("is a promise that a task settles", async ({ Summarizer }) => {
  (await Summarizer.create()).destroy();
  let settled = false;
  const making = Summarizer.create();
  void making.then(() => (settled = true));
  for (let i = 0; i < 50; i++) await undefined;
  equal(settled, false);
  (await making).destroy();
});
says("fires progress from 0 to 1, each event in a task of its own, before it resolves", async ({ Summarizer }) => {
  const log: string[] = [];
  let monitor!: EventTarget;
  const making = Summarizer.create({
    monitor: (m) => {
      monitor = m;
      m.addEventListener("downloadprogress", (event) => {
        const { loaded } = event as Progress;
        log.push(`event ${loaded}`);
        void Promise.resolve().then(() => log.push(`microtask ${loaded}`));
      });
    },
  });
  log.push("returned");
  for (let i = 0; i < 50; i++) await undefined;
  same(log, ["returned"], "no event in a microtask");
  const s = await making;
  log.push("resolved");
  await tick(20);
  same(log, ["returned", "event 0", "microtask 0", "event 1", "microtask 1", "resolved"]);
  s.destroy();
  monitor.dispatchEvent(new Event("downloadprogress"));
});
says("fires progress more than 50 ms after the last one, or at the end", async ({ Summarizer }) => {
  const heard: number[] = [];
  const steps = 1000;
  const encoder = {
    embed: () => Promise.reject(new Error("not used")),
    async ready({ onprogress }: { onprogress(progress: object): void }) {
      const report = (done: number): void => onprogress({ stage: "load", done, total: steps });
      for (let done = 0; done < steps / 2; done++) report(done);
      await tick(60);
      for (let done = steps / 2; done <= steps; done++) report(done);
    },
  };
  const start = performance.now();
  const s = await Summarizer.create({
    expectedInputLanguages: ["en", "pt"], ...{ encoder }, monitor: (m) => m.addEventListener("downloadprogress", (event) => heard.push((event as Progress).loaded)),
  });
  const most = 2 + (performance.now() - start) / 50;
  s.destroy();
  same([heard[0]!, heard.at(-1)!], [0, 1]);
  same(heard, [...new Set(heard)].sort(), "in order");
  ok(heard.length > 2, "an event between");
  ok(heard.length <= most, `${heard.length} events, at most ${most}`);
});
says("a failed download is a NetworkError, a failed start an OperationError", async ({ Summarizer }) => {
  for (const kind of ["NetworkError", "OperationError"]) {
    const heard: number[] = [];
    const options = {
      expectedInputLanguages: ["en", "pt"], encoder: { embed: () => Promise.reject(new Error("not used")), ready: () => Promise.reject(new DOMException("gone", kind)) }, monitor: (m: EventTarget) => m.addEventListener("downloadprogress", (event) => heard.push((event as Progress).loaded)),
    };
    await rejects(() => Summarizer.create(options), kind);
    same(heard, [0], "no last event");
  }
});
says("its events are ProgressEvents of total 1", async (env) => {
  const events: Progress[] = [];
  await using(env, { monitor: (m: EventTarget) => m.addEventListener("downloadprogress", (event) => events.push(event as Progress)) }, () => {
    for (const event of events) {
      same([event.type, event.total, event.lengthComputable, event.bubbles, event.cancelable], ["downloadprogress", 1, true, false, false]);
      equal(event.loaded * 65_536 % 1, 0);
      if (env.page) ok(event instanceof ProgressEvent, "a ProgressEvent");
      equal(event.constructor.name, "ProgressEvent");
    }
  });
  ok(events.length >= 2);
});
says("a handler keeps its place among listeners, and is called with the monitor", async (env) => {
  const log: unknown[] = [];
  await using(env, {
    monitor(m: EventTarget & { ondownloadprogress: unknown }) {
      m.ondownloadprogress = () => log.push("replaced");
      m.addEventListener("downloadprogress", () => log.push("listener"));
      m.ondownloadprogress = function (this: unknown, event: Progress) {
        log.push(this === m && event.target === m && event.currentTarget === m ? "handler" : "wrong receiver");
      };
    },
  }, () => same(log, ["handler", "listener", "handler", "listener"]));
});
says("a handler that is an object does nothing; one that is removed no longer", async (env) => {
  let called = 0;
  await using(env, {
    monitor(m: EventTarget & { ondownloadprogress: unknown }) {
      m.ondownloadprogress = () => called++;
      m.ondownloadprogress = null;
      m.ondownloadprogress = { handleEvent: () => called++ };
    },
  }, () => equal(called, 0));
});
for (const [when, loaded] of [["first", 0], ["last", 1]] as const) {
  says(`an abort in the ${when} event, and after it, rejects`, async ({ Summarizer }) => {
    for (const later of [false, true]) {
      const controller = new AbortController();
      const reason = new Error("no");
      const heard: number[] = [];
      await rejects(() => Summarizer.create({
        signal: controller.signal,
        monitor: (m) => m.addEventListener("downloadprogress", (event) => {
          heard.push((event as Progress).loaded);
          if ((event as Progress).loaded !== loaded) return;
          if (later) queueMicrotask(() => controller.abort(reason));
          else controller.abort(reason);
        }),
      }), { exactly: reason });
      await tick(20);
      same(heard, loaded === 0 ? [0] : [0, 1], "no event after it");
    }
  });
}
says("an abort right after the call rejects, and fires nothing", async ({ Summarizer }) => {
  const controller = new AbortController();
  let events = 0;
  const making = Summarizer.create({ signal: controller.signal, monitor: (m) => m.addEventListener("downloadprogress", () => events++) });
  controller.abort();
  await rejects(() => making, "AbortError");
  await tick(20);
  equal(events, 0);
});
says("the signal destroys what was created", async ({ Summarizer }) => {
  const controller = new AbortController();
  const reason = new Error("no");
  const s = await Summarizer.create({ signal: controller.signal });
  const calls = [s.summarize(text), s.measureInputUsage(text), s.summarizeStreaming(text).getReader().read()];
  controller.abort(reason);
  for (const call of calls) await rejects(() => call, { exactly: reason });
  await rejects(() => s.summarize(text), { exactly: reason });
  throws(() => s.summarizeStreaming(text), { exactly: reason });
  s.destroy();
  await rejects(() => s.summarize(text), { exactly: reason }, "the first reason stays");
});
says("what was destroyed keeps its reason when the signal is aborted", async ({ Summarizer }) => {
  const controller = new AbortController();
  const s = await Summarizer.create({ signal: controller.signal });
  s.destroy();
  controller.abort(new Error("later"));
  await rejects(() => s.summarize(text), "AbortError");
});

of("Abort steps");
says("are not stopped by listeners", async (env) => {
  const controller = new AbortController();
  const reason = new Error("no");
  for (const capture of [true, false]) controller.signal.addEventListener("abort", (event) => event.stopImmediatePropagation(), { capture });
  await using(env, {}, async (s) => {
    const { signal } = controller;
    const calls = [s.summarize(text, { signal }), s.measureInputUsage(text, { signal }), s.summarizeStreaming(text, { signal }).getReader().read(), env.Summarizer.create({ signal })];
    controller.abort(reason);
    for (const call of calls) await rejects(() => call, { exactly: reason });
  });
});
says("are not done for an event without an abort", async (env) => {
  const { signal } = new AbortController();
  await using(env, { type: "tldr", signal }, async (s) => {
    const calls = [s.summarize(text, { signal }), s.summarizeStreaming(text, { signal }).getReader().read().then(({ value }) => value as string)];
    const making = env.Summarizer.create({ signal });
    signal.dispatchEvent(new Event("abort"));
    ok(text.includes((await calls[0])!) && text.includes((await calls[1])!));
    (await making).destroy();
    ok(await s.summarize(text));
  });
});
says("are not undone by an exception of a listener's, or by its order", async (env) => {
  const controller = new AbortController();
  const { signal } = controller;
  await using(env, {}, async (s) => {
    const call = s.summarize(text, { signal });
    let during: unknown;
    signal.addEventListener("abort", () => void (during = s.summarize(text, { signal }).catch((error: unknown) => error)));
    controller.abort();
    await rejects(() => call, "AbortError");
    check(await during, "AbortError", "in a listener");
  });
});
says("do not look at what others put on a signal", async (env) => {
  // Node's AbortSignal.any reads it itself.
  if (!env.page) return;
  const { signal } = new AbortController();
  Object.defineProperties(signal, { aborted: { value: true }, reason: { value: "made up" }, throwIfAborted: { value: () => { throw new Error("made up"); } } });
  await using(env, { type: "tldr", signal }, async (s) => ok(await s.summarize(text, { signal })));
});
says("leave no listeners behind, however many calls share a signal", async (env) => {
  const controller = new AbortController();
  const { signal } = controller;
  const { addEventListener } = signal;
  let added = 0;
  signal.addEventListener = function (this: AbortSignal, ...list: unknown[]) {
    added++;
    return (addEventListener as (...list: unknown[]) => void).apply(this, list);
  } as typeof addEventListener;
  await using(env, { type: "tldr", signal }, async (s) => {
    await Promise.all(Array.from({ length: 30 }, () => s.summarize("A short text of few words.", { signal })));
  });
  equal(added, 0);
});
says("work with composite and timed signals", async (env) => using(env, {}, async (s) => {
  const controller = new AbortController();
  const reason = new Error("no");
  const call = s.summarize(text, { signal: AbortSignal.any([new AbortController().signal, controller.signal]) });
  controller.abort(reason);
  await rejects(() => call, { exactly: reason });
  await rejects(() => s.summarize(text.repeat(2000), { signal: AbortSignal.timeout(5) }), "TimeoutError");
}));

of("Results");
says("an aborted signal rejects at once, a streaming one throws", (env) => using(env, {}, async (s) => {
  const reason = { any: "value" };
  const signal = AbortSignal.abort(reason);
  await rejects(() => s.summarize(text, { signal }), { exactly: reason });
  await rejects(() => s.measureInputUsage(text, { signal }), { exactly: reason });
  throws(() => s.summarizeStreaming(text, { signal }), { exactly: reason });
}));
says("aborts in mid-call reject with the reason", (env) => using(env, {}, async (s) => {
  for (const input of [text, "", " "]) {
    for (const wait of [() => undefined, () => Promise.resolve()]) {
      const controller = new AbortController();
      const { signal } = controller;
      const calls = [s.summarize(input, { signal }), s.measureInputUsage(input, { signal }), s.summarizeStreaming(input, { signal }).getReader().read()];
      await wait();
      controller.abort();
      for (const call of calls) await rejects(() => call, "AbortError", JSON.stringify(input));
    }
  }
}));
says("an abort after the result changes nothing", (env) => using(env, { type: "tldr" }, async (s) => {
  const controller = new AbortController();
  const summary = await s.summarize(text, { signal: controller.signal });
  controller.abort();
  equal(await s.summarize(text), summary);
}));
says("destroy rejects what runs and what comes, and can be repeated", async ({ Summarizer }) => {
  const s = await Summarizer.create();
  const reader = s.summarizeStreaming(text).getReader();
  const calls = [s.summarize(text), s.measureInputUsage(text), reader.read(), reader.closed];
  equal(s.destroy() as unknown, undefined);
  for (const call of calls) await rejects(() => call as Promise<unknown>, "AbortError");
  s.destroy();
  await rejects(() => s.summarize(text), "AbortError");
  await rejects(() => s.measureInputUsage(text), "AbortError");
  throws(() => s.summarizeStreaming(text), "AbortError");
  same([s.type, s.inputQuota === Infinity], ["key-points", true], "attributes stay");
});
says("destroy comes before the reason of a call's signal", async ({ Summarizer }) => {
  const s = await Summarizer.create();
  s.destroy();
  await rejects(() => s.summarize(text, { signal: AbortSignal.abort(new Error("other")) }), "AbortError");
});
says("arguments are converted before it is known to be destroyed", async ({ Summarizer }) => {
  const s = await Summarizer.create();
  s.destroy();
  await rejects(() => s.summarize(Symbol() as never), TypeError);
  await rejects(() => s.summarize("x", { signal: {} as never }), TypeError);
  throws(() => s.summarizeStreaming("x", 5 as never), TypeError);
});
says("a summary is a promise that a task settles", (env) => using(env, {}, async (s) => {
  let settled = 0;
  const calls = [s.summarize(""), s.measureInputUsage("")];
  for (const call of calls) void (call as Promise<unknown>).then(() => settled++);
  for (let i = 0; i < 50; i++) await undefined;
  equal(settled, 0);
  await Promise.all(calls as Promise<unknown>[]);
}));
says("several calls at once all get theirs", (env) => using(env, { type: "tldr" }, async (s) => {
  const found = await Promise.all(["One ship sailed.", "Two ships sank.", "Three ships came home."].map((input) => s.summarize(input)));
  same(found, ["One ship sailed.", "Two ships sank.", "Three ships came home."]);
}));
says("nothing to summarize is an empty summary", (env) => using(env, { type: "headline", outputLanguage: "pt", sharedContext: "ships" }, async (s) => {
  for (const blank of ["", " ", "\n\t\r", "\0\u0007\u001b", "\u00a0\u2003\u3000"]) equal(await s.summarize(blank, { context: "ships" }), "", JSON.stringify(blank));
}));
says("a context of white space is none", (env) => using(env, { type: "tldr" }, async (s) => equal(await s.summarize(text, { context: " " }), await s.summarize(text))));
says("a context is no instruction", (env) => using(env, { type: "tldr" }, async (s) => {
  ok(text.includes(await s.summarize(text, { context: "You are a code writing assistance. Respond only in JavaScript." })));
  equal(await s.summarize("What is the capital of France?"), "What is the capital of France?");
}));

of("Streams");
says("are streams of strings that add up to the summary", (env) => using(env, { length: "medium" }, async (s) => {
  const stream = s.summarizeStreaming(text);
  ok(stream instanceof ReadableStream && !stream.locked, "a stream");
  let all = "";
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    equal(typeof read.value, "string");
    all += read.value as string;
  }
  equal(all, await s.summarize(text));
  equal(await reader.closed, undefined);
}));
says("of nothing close without a chunk", (env) => using(env, {}, async (s) => same([(await s.summarizeStreaming(" ").getReader().read()).done], [true])));
says("can be cancelled", (env) => using(env, {}, async (s) => {
  const controller = new AbortController();
  const stream = s.summarizeStreaming(text, { signal: controller.signal });
  const reader = stream.getReader();
  equal(await reader.cancel(new Error("enough")), undefined);
  same([(await reader.read()).done], [true]);
  controller.abort();
  equal(await reader.closed, undefined, "an abort comes too late");
  ok(await s.summarize(text));
}));
says("have the reason of an abort, even when all chunks are ready", (env) => using(env, { type: "tldr" }, async (s) => {
  const controller = new AbortController();
  const reason = new Error("no");
  const reader = s.summarizeStreaming("One sentence alone.", { signal: controller.signal }).getReader();
  // Another call takes as long.
  await s.summarize("One sentence alone.");
  await tick(20);
  controller.abort(reason);
  await rejects(() => reader.read(), { exactly: reason });
  await rejects(() => reader.closed, { exactly: reason });
}));
says("that were read to the end are not aborted", (env) => using(env, { type: "tldr" }, async (s) => {
  const controller = new AbortController();
  const reader = s.summarizeStreaming(text, { signal: controller.signal }).getReader();
  while (!(await reader.read()).done);
  controller.abort();
  equal(await reader.closed, undefined);
}));
says("can be piped, and fail with the reason", (env) => using(env, {}, async (s) => {
  const controller = new AbortController();
  const piped = s.summarizeStreaming(text, { signal: controller.signal }).pipeTo(new WritableStream());
  controller.abort();
  await rejects(() => piped, "AbortError");
  await s.summarizeStreaming(text).pipeTo(new WritableStream());
}));
says("can be piped through a transform, and teed", (env) => using(env, {}, async (s) => {
  const [one, two] = s.summarizeStreaming(text).tee();
  const read = async (stream: ReadableStream<unknown>): Promise<string> => {
    let all = "";
    const reader = stream.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) all += String(read.value);
    return all;
  };
  equal(await read(one), await read(two));
}));

of("Options");
const sentences = text.split(/(?<=\.) /);
for (const [length, most] of [["short", 3], ["medium", 5], ["long", 7]] as const) {
  says(`key points are a list of at most ${most}`, (env) => using(env, { length }, async (s) => {
    const lines = (await s.summarize(text)).split("\n");
    ok(lines.length <= most && lines.every((line) => /^[*+-] \S/.test(line)), String(lines.length));
  }));
  says(`a ${length} tldr and teaser are a paragraph`, async (env) => {
    for (const type of ["tldr", "teaser"]) {
      await using(env, { type, length }, async (s) => {
        const summary = await s.summarize(text);
        ok(!summary.includes("\n") && summary.length > 0, summary);
        if (length === "short") equal(sentences.filter((one) => summary.includes(one)).length, 1, summary);
      });
    }
  });
}
for (const [length, most] of [["short", 12], ["medium", 17], ["long", 22]] as const) {
  says(`a ${length} headline has at most ${most} words`, (env) => using(env, { type: "headline", length }, async (s) => {
    const summary = await s.summarize(text);
    ok(summary.split(/\s+/).length <= most && !summary.includes("\n"), summary);
  }));
}
says("plain text has no formatting and no markup, its own or the input's", async (env) => {
  const marked = "# The **ferry** Alma\n\nThe *ferry* `Alma` ran <b>aground</b> off [Port Selby](https://example.org/) on Tuesday.\n\n"
    + "- All __passengers__ were taken ashore before dawn &amp; nobody was hurt.\n- The ![harbour](h.png) stays closed until the wreck has been <a href=\"x\">secured</a>.\n\n"
    + "> The ~~captain~~ said the steering had failed in heavy fog.\n";
  for (const type of ["key-points", "tldr", "teaser", "headline"]) {
    await using(env, { type, format: "plain-text", length: "long" }, async (s) => {
      const summary = await s.summarize(marked);
      ok(!/[*_`#<>~[\]]|&amp;|^[-+] |https?:/m.test(summary), summary);
      ok(summary.length > 10, summary);
    });
  }
});
says("Markdown does not take the input's HTML for its own", (env) => using(env, { length: "long" }, async (s) => {
  ok(!/(?<!\\)<script/.test(await s.summarize("The ferry <script>alert(1)</script> ran aground. Nobody was hurt in the ship.")));
}));
says("a context, of one call or of all, decides what is summarized", async (env) => {
  const context = "the lights of the channel";
  const wanted = sentences.find((one) => one.includes("channel lights"))!;
  await using(env, { type: "tldr" }, async (s) => {
    ok(await s.summarize(text) !== wanted, "without one it is another sentence");
    equal(await s.summarize(text, { context }), wanted, "context");
  });
  await using(env, { type: "tldr", sharedContext: context }, async (s) => equal(await s.summarize(text), wanted, "sharedContext"));
});
says("the preference speed selects the quick method", async (env) => {
  for (const [preference, quick] of [["speed", true], ["auto", false], ["capability", false]] as const) {
    await using(env, { preference, type: "tldr" }, async (s) => {
      const { method, text: summary } = await (s as unknown as { summarizeDocuments(documents: string[]): Promise<{ method: string; text: string }> }).summarizeDocuments([text]);
      equal(method === "instant", quick, `${preference}: ${method}`);
      equal(await s.summarize(text), summary);
    });
  }
});

of("Languages");
says("text in the output language is summarized, other text is a NotSupportedError", (env) => using(env, { outputLanguage: "pt", type: "tldr" }, async (s) => {
  await rejects(() => s.summarize(text), "NotSupportedError");
  const found = await s.summarizeStreaming(text).getReader().read().catch((error: unknown) => error);
  check(found, "NotSupportedError", "stream");
  ok((await s.summarize("A barca encalhou na noite de terça-feira perto do porto. Ninguém ficou ferido com gravidade.")).includes(" "));
}));
says("short texts are not refused for a guess at their language", async (env) => {
  const short = ["Great product!", "Love it", "Works fine", "Terrible", "Not worth the money", "Nice", "Good value", "Perfect fit", "OK", "Bad quality", "Five stars", "Super comfy!",
    "Restaurant La Bella Napoli serves excellent pizza margherita and tiramisu."];
  for (const options of [{ outputLanguage: "en" }, { outputLanguage: "en-US", expectedInputLanguages: ["en", "fr"] }, { outputLanguage: "en", expectedInputLanguages: ["en-US"] }]) {
    await using(env, { type: "tldr", ...options }, async (s) => {
      for (const input of short) equal(await s.summarize(input), input);
    });
  }
  await using(env, { type: "tldr", outputLanguage: "en" }, async (s) => {
    for (const input of ["こんにちは世界、今日はいい天気ですね。", "Das Paket kam erst nach drei Wochen bei uns an.", "Посылка пришла только через три недели."]) await rejects(() => s.summarize(input), "NotSupportedError", input);
  });
});
