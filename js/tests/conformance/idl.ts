// The interfaces as Web IDL binds them, and the conversion of arguments.

import { both, equal, of, ok, recorder, rejects, same, says, text, throws, using } from "./harness.js";

type Loose = { create(...list: unknown[]): Promise<unknown>; availability(...list: unknown[]): Promise<string>; prototype: Record<string, (...list: unknown[]) => unknown> };

const ATTRIBUTES = ["sharedContext", "type", "format", "length", "expectedInputLanguages", "expectedContextLanguages", "outputLanguage", "inputQuota"];
const OPERATIONS = { summarize: 1, summarizeStreaming: 1, measureInputUsage: 1, destroy: 0 } as const;
const describe = (object: object, name: string): PropertyDescriptor => {
  const found = Object.getOwnPropertyDescriptor(object, name);
  if (!found) throw new Error(`no ${name}`);
  return found;
};

of("Web IDL, interfaces");
both("the interface object has length 0, its name, and a fixed prototype", ({ Summarizer }) => {
  equal((Summarizer as unknown as { length: number }).length, 0);
  equal((Summarizer as unknown as { name: string }).name, "Summarizer");
  equal(describe(Summarizer, "prototype").writable, false);
  equal(describe(Summarizer, "name").writable, false);
  equal(describe(Summarizer.prototype, "constructor").enumerable, false);
  equal(Object.getPrototypeOf(Summarizer), Function.prototype);
  equal(Object.getPrototypeOf(Summarizer.prototype), Object.prototype);
});
both("it has no constructor", ({ Summarizer }) => {
  const Class = Summarizer as unknown as { new(): object; (): unknown };
  throws(() => new Class(), TypeError, "new");
  throws(() => Class(), TypeError, "call");
  throws(() => new (class extends Class {})(), TypeError, "subclass");
});
both("static operations are enumerable, writable and configurable", ({ Summarizer }) => {
  for (const name of ["create", "availability"]) {
    const { enumerable, writable, configurable, value } = describe(Summarizer, name);
    same([enumerable, writable, configurable, (value as () => void).length, (value as () => void).name], [true, true, true, 0, name], name);
  }
  same(Object.keys(Summarizer).sort(), ["availability", "create"]);
});
both("operations are enumerable and have the length of their required arguments", ({ Summarizer }) => {
  for (const [name, length] of Object.entries(OPERATIONS)) {
    const { enumerable, writable, configurable, value } = describe(Summarizer.prototype, name);
    same([enumerable, writable, configurable, (value as () => void).length, (value as () => void).name], [true, true, true, length, name], name);
  }
});
both("operations are no constructors", ({ Summarizer }) => {
  throws(() => new (Summarizer.create as unknown as new () => unknown)(), TypeError, "create");
  throws(() => new (Summarizer.prototype.summarize as unknown as new () => unknown)(), TypeError, "summarize");
});
both("attributes are accessors without a setter, called \"get …\"", ({ Summarizer }) => {
  for (const name of ATTRIBUTES) {
    const { enumerable, configurable, get, set } = describe(Summarizer.prototype, name);
    same([enumerable, configurable, get!.name, get!.length, set === undefined], [true, true, `get ${name}`, 0, true], name);
  }
});
says("the attribute preference is among them", ({ Summarizer }) => equal(describe(Summarizer.prototype, "preference").get!.name, "get preference"));
both("only what the standard lists is enumerable", ({ Summarizer }) => {
  same(Object.keys(Summarizer.prototype).filter((name) => name !== "preference").sort(), [...ATTRIBUTES, ...Object.keys(OPERATIONS)].sort());
});
both("the class string is fixed", ({ Summarizer }) => {
  const { value, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(Summarizer.prototype, Symbol.toStringTag)!;
  same([value, writable, enumerable, configurable], ["Summarizer", false, false, true]);
});
both("getters refuse other receivers", ({ Summarizer }) => {
  for (const name of ATTRIBUTES) {
    for (const receiver of [Summarizer.prototype, {}, null]) throws(() => describe(Summarizer.prototype, name).get!.call(receiver), TypeError, name);
  }
});
both("operations that return promises reject for other receivers", async ({ Summarizer }) => {
  const { summarize, measureInputUsage } = (Summarizer as unknown as Loose).prototype as Record<string, (...list: unknown[]) => Promise<unknown>>;
  for (const receiver of [{}, null, undefined, 5, Summarizer.prototype]) {
    await rejects(() => summarize!.call(receiver, "x"), TypeError, "summarize");
    await rejects(() => measureInputUsage!.call(receiver, "x"), TypeError, "measureInputUsage");
  }
});
both("the others throw", ({ Summarizer }) => {
  const { summarizeStreaming, destroy } = (Summarizer as unknown as Loose).prototype;
  for (const receiver of [{}, null, undefined, 5, Summarizer.prototype]) {
    throws(() => summarizeStreaming!.call(receiver, "x"), TypeError, "summarizeStreaming");
    throws(() => destroy!.call(receiver), TypeError, "destroy");
  }
});
both("the receiver is checked before the arguments are read", async ({ Summarizer }) => {
  const { options, log } = recorder({ context: "x", signal: undefined });
  const input = { toString: () => (log.push("input"), "x") };
  const { summarize, measureInputUsage, summarizeStreaming } = (Summarizer as unknown as Loose).prototype;
  await rejects(() => summarize!.call({}, input, options) as Promise<unknown>, TypeError);
  await rejects(() => measureInputUsage!.call({}, input, options) as Promise<unknown>, TypeError);
  throws(() => summarizeStreaming!.call({}, input, options), TypeError);
  same(log, []);
});
both("static operations need no receiver", async ({ Summarizer }) => {
  const { availability } = Summarizer as unknown as Loose;
  ok(typeof await availability.call(null) === "string");
  ok(typeof await availability.call({}) === "string");
});
says("every summarizer is an instance with its class string", (env) => using(env, {}, (s) => {
  ok(s instanceof (env.Summarizer as unknown as new () => unknown), "instanceof");
  equal(Object.prototype.toString.call(s), "[object Summarizer]");
  same(Object.keys(s), [], "own properties");
}));
says("attributes cannot be written", (env) => using(env, {}, (s) => {
  for (const name of [...ATTRIBUTES, "preference"]) throws(() => Object.assign(s, { [name]: "x" }), TypeError, name);
}));
says("frozen arrays are the same each time", (env) => using(env, { expectedInputLanguages: ["en"], expectedContextLanguages: ["en"] }, (s) => {
  equal(s.expectedInputLanguages, s.expectedInputLanguages);
  ok(Object.isFrozen(s.expectedInputLanguages) && Object.isFrozen(s.expectedContextLanguages), "frozen");
  ok(Array.isArray(s.expectedInputLanguages), "an array");
}));

of("Web IDL, CreateMonitor");
both("it is an EventTarget without a constructor", ({ CreateMonitor }) => {
  throws(() => new CreateMonitor(), TypeError);
  equal(Object.getPrototypeOf(CreateMonitor.prototype), EventTarget.prototype);
  equal(Object.getPrototypeOf(CreateMonitor), EventTarget);
  equal((CreateMonitor as unknown as { length: number }).length, 0);
  equal((CreateMonitor as unknown as { name: string }).name, "CreateMonitor");
  equal((CreateMonitor.prototype as { [Symbol.toStringTag]?: string })[Symbol.toStringTag], "CreateMonitor");
});
both("ondownloadprogress is an attribute of its prototype", ({ CreateMonitor }) => {
  const { get, set, enumerable, configurable } = describe(CreateMonitor.prototype, "ondownloadprogress");
  same([get!.name, get!.length, set!.name, set!.length, enumerable, configurable], ["get ondownloadprogress", 0, "set ondownloadprogress", 1, true, true]);
  throws(() => get!.call({}), TypeError, "get");
  throws(() => set!.call({}, null), TypeError, "set");
});
const seen = async ({ Summarizer }: { Summarizer: unknown }, look: (monitor: EventTarget & { ondownloadprogress: unknown }, count: number, receiver: unknown) => void): Promise<void> => {
  let failure: unknown = new Error("the monitor was not called");
  const made = (Summarizer as Loose).create({
    monitor(this: unknown, ...list: [EventTarget & { ondownloadprogress: unknown }]) {
      failure = undefined;
      try {
        look(list[0], list.length, this);
      } catch (error) {
        failure = error;
      }
    },
  });
  await made.then((s) => (s as { destroy(): void }).destroy(), () => undefined);
  if (failure) throw failure;
};
both("the callback gets one alone, and no receiver", (env) => seen(env, (monitor, count, receiver) => {
  equal(count, 1);
  ok(receiver === undefined || receiver === globalThis, "no receiver");
  ok(monitor instanceof EventTarget && monitor instanceof env.CreateMonitor, "an instance");
  equal(Object.prototype.toString.call(monitor), "[object CreateMonitor]");
  same(Object.keys(monitor), []);
  equal(monitor.ondownloadprogress, null);
}));
both("a handler is an object or null", (env) => seen(env, (monitor) => {
  const handler = (): void => undefined;
  const object = {};
  for (const [value, kept] of [[handler, handler], [object, object], [5, null], ["x", null], [undefined, null], [handler, handler], [null, null]]) {
    monitor.ondownloadprogress = value;
    equal(monitor.ondownloadprogress, kept, String(value));
  }
}));

of("Web IDL, arguments");
const MEMBERS = ["expectedContextLanguages", "expectedInputLanguages", "format", "length", "outputLanguage", "preference", "type"];
const withoutPreference = (log: string[]): string[] => log.filter((name) => !name.startsWith("preference"));
both("create reads each member once, of the inherited dictionary first", async ({ Summarizer }) => {
  const { options, log } = recorder(Object.fromEntries([...MEMBERS, "monitor", "sharedContext", "signal", "unknown"].reverse().map((name) => [name, undefined])));
  await Summarizer.create(options).then((s) => s.destroy(), () => undefined);
  same(withoutPreference(log), withoutPreference([...MEMBERS, "monitor", "sharedContext", "signal"]));
});
both("availability reads the members of its own dictionary alone", async ({ Summarizer }) => {
  const { options, log } = recorder(Object.fromEntries([...MEMBERS, "monitor", "sharedContext", "signal"].reverse().map((name) => [name, undefined])));
  await Summarizer.availability(options);
  same(withoutPreference(log), withoutPreference(MEMBERS));
});
both("each member is converted when it is read", async ({ Summarizer }) => {
  const { options, log } = recorder({ type: "tldr", length: "long", format: "plain-text", outputLanguage: "en" });
  await Summarizer.availability(options);
  same(log, ["format", "format converted", "length", "length converted", "outputLanguage", "outputLanguage converted", "type", "type converted"]);
});
both("the first bad member ends it", async ({ Summarizer }) => {
  const { options, log } = recorder({ type: "tldr", length: "huge", format: "plain-text" });
  await rejects(() => Summarizer.availability(options), TypeError);
  same(log, ["format", "format converted", "length", "length converted"]);
});
both("inherited members count", async ({ Summarizer }) => rejects(() => Summarizer.availability(Object.create({ type: "poem" }) as object), TypeError));
for (const value of [null, undefined, {}, Object.create(null)] as const) {
  both(`options may be ${value === undefined ? "undefined" : value === null ? "null" : "an object"}`, async ({ Summarizer }) => {
    ok(typeof await (Summarizer as unknown as Loose).availability(value) === "string");
  });
}
for (const value of [5, "x", true, 5n, Symbol("x")] as const) {
  both(`options may not be a ${typeof value}`, async ({ Summarizer }) => {
    await rejects(() => (Summarizer as unknown as Loose).availability(value), TypeError, "availability");
    await rejects(() => (Summarizer as unknown as Loose).create(value), TypeError, "create");
  });
}
for (const name of ["type", "format", "length"]) {
  both(`${name} is one of its values`, async ({ Summarizer }) => {
    for (const value of ["", "poem", "TLDR", null, 5, {}, []]) {
      await rejects(() => (Summarizer as unknown as Loose).availability({ [name]: value }), TypeError, `availability, ${String(value)}`);
      await rejects(() => (Summarizer as unknown as Loose).create({ [name]: value }), TypeError, `create, ${String(value)}`);
    }
    await rejects(() => (Summarizer as unknown as Loose).availability({ [name]: Symbol() }), TypeError);
    ok(await (Summarizer as unknown as Loose).availability({ [name]: undefined }));
  });
}
says("preference is one of its values", ({ Summarizer }) => rejects(() => (Summarizer as unknown as Loose).availability({ preference: "best" }), TypeError));
both("enumeration values are strings, as are all objects with one", async ({ Summarizer }) => {
  ok(await (Summarizer as unknown as Loose).availability({ type: { toString: () => "tldr" }, length: new String("long") }));
});
both("an exception of a conversion is passed on", async ({ Summarizer }) => {
  const reason = new Error("no string");
  const bad = { toString: () => { throw reason; } };
  for (const options of [{ type: bad }, { outputLanguage: bad }, { expectedInputLanguages: [bad] }, { get type() { throw reason; } }]) {
    await rejects(() => (Summarizer as unknown as Loose).availability(options), { exactly: reason });
    await rejects(() => (Summarizer as unknown as Loose).create(options), { exactly: reason });
  }
});
for (const name of ["expectedInputLanguages", "expectedContextLanguages"]) {
  both(`${name} is an iterable object`, async ({ Summarizer }) => {
    for (const value of ["en", 5, null, true, {}, { length: 1, 0: "en" }, { [Symbol.iterator]: null }, { [Symbol.iterator]: 5 }, { [Symbol.iterator]: () => 5 }]) {
      await rejects(() => (Summarizer as unknown as Loose).availability({ [name]: value }), TypeError, String(value));
    }
    await rejects(() => (Summarizer as unknown as Loose).availability({ [name]: [Symbol()] }), TypeError);
    for (const value of [[], ["en"], new Set(["en"]), (function* () { yield "en"; })(), Object.assign(() => 1, { [Symbol.iterator]: function* () { yield "en"; } })]) {
      ok(await (Summarizer as unknown as Loose).availability({ [name]: value }), String(value));
    }
  });
}
both("a sequence asks for its iterator and for next once", async ({ Summarizer }) => {
  const log: string[] = [];
  const rest = ["en", "fr"];
  await (Summarizer as unknown as Loose).availability({
    expectedInputLanguages: {
      get [Symbol.iterator]() {
        log.push("iterator");
        return () => ({
          get next() {
            log.push("next");
            return () => ({ done: rest.length === 0, value: rest.shift() });
          },
          get return() {
            log.push("return");
            return undefined;
          },
        });
      },
    },
  });
  same(log, ["iterator", "next"]);
});
both("tags are validated after all members were converted", async ({ Summarizer }) => {
  await rejects(() => (Summarizer as unknown as Loose).availability({ outputLanguage: "not a tag", type: "poem" }), TypeError);
  await rejects(() => (Summarizer as unknown as Loose).create({ outputLanguage: "not a tag", signal: {} }), TypeError);
  await rejects(() => (Summarizer as unknown as Loose).create({ outputLanguage: "not a tag", monitor: 5 }), TypeError);
});
for (const [what, value] of [
  ["an object", {}], ["null", null], ["an object with its prototype", Object.create(AbortSignal.prototype)], ["a controller", new AbortController()],
  ["an event target", new EventTarget()], ["an object with its members", { aborted: false, reason: undefined, throwIfAborted() {}, addEventListener() {}, removeEventListener() {} }],
] as const) {
  both(`signal is an AbortSignal, not ${what}`, ({ Summarizer }) => rejects(() => (Summarizer as unknown as Loose).create({ signal: value }), TypeError));
  says(`signal of a call is an AbortSignal, not ${what}`, (env) => using(env, {}, async (s) => {
    const call = s as unknown as Loose["prototype"];
    await rejects(() => call["summarize"]!("x", { signal: value }) as Promise<unknown>, TypeError);
    await rejects(() => call["measureInputUsage"]!("x", { signal: value }) as Promise<unknown>, TypeError);
    throws(() => call["summarizeStreaming"]!("x", { signal: value }), TypeError);
  }));
}
both("monitor is a function", async ({ Summarizer }) => {
  for (const monitor of [null, 5, "x", {}, []]) await rejects(() => (Summarizer as unknown as Loose).create({ monitor }), TypeError);
});
both("sharedContext is a string", ({ Summarizer }) => rejects(() => (Summarizer as unknown as Loose).create({ sharedContext: Symbol() }), TypeError));
both("availability does not convert what it does not read", async ({ Summarizer }) => {
  ok(await (Summarizer as unknown as Loose).availability({ signal: {}, monitor: 5, sharedContext: Symbol() }));
  ok(await (Summarizer as unknown as Loose).availability({ signal: AbortSignal.abort() }));
});
says("null is a context like any other", async (env) => using(env, { sharedContext: null }, (s) => equal(s.sharedContext, "null")));
says("calls want an input", (env) => using(env, {}, async (s) => {
  const call = s as unknown as Loose["prototype"];
  await rejects(() => call["summarize"]!() as Promise<unknown>, TypeError);
  await rejects(() => call["measureInputUsage"]!() as Promise<unknown>, TypeError);
  throws(() => call["summarizeStreaming"]!(), TypeError);
}));
says("the input is converted to a string, before the options are", (env) => using(env, { type: "tldr" }, async (s) => {
  const call = s as unknown as { summarize(...list: unknown[]): Promise<string> };
  equal(await call.summarize(12), "12");
  equal(await call.summarize(null), "null");
  equal(await call.summarize(undefined), "undefined");
  await rejects(() => call.summarize(Symbol()), TypeError);
  const { options, log } = recorder({ signal: undefined, context: "x" });
  await call.summarize({ toString: () => (log.push("input"), "") }, options);
  same(log, ["input", "context", "context converted", "signal"]);
}));
says("options of calls are dictionaries", (env) => using(env, {}, async (s) => {
  const call = s as unknown as Loose["prototype"];
  for (const value of [5, "x", true]) {
    await rejects(() => call["summarize"]!("x", value) as Promise<unknown>, TypeError);
    throws(() => call["summarizeStreaming"]!("x", value), TypeError);
  }
  equal(await call["summarize"]!("", null), "");
  await rejects(() => call["summarize"]!("x", { context: Symbol() }) as Promise<unknown>, TypeError);
}));

of("Web IDL, QuotaExceededError");
type Quota = DOMException & { quota: number | null; requested: number | null };
type QuotaClass = new (...list: unknown[]) => Quota;
both("it is a DOMException with its own class string", ({ QuotaExceededError }) => {
  const error = new (QuotaExceededError as QuotaClass)("too much", { quota: 5, requested: 9 });
  ok(error instanceof DOMException && error instanceof QuotaExceededError, "instanceof");
  same([error.name, error.message, error.code, error.quota, error.requested], ["QuotaExceededError", "too much", 22, 5, 9]);
  equal(Object.prototype.toString.call(error), "[object QuotaExceededError]");
  equal((QuotaExceededError as unknown as { name: string }).name, "QuotaExceededError");
  equal(QuotaExceededError.length, 0);
  equal(Object.getPrototypeOf(QuotaExceededError), DOMException);
  equal(Object.hasOwn(error, "quota"), false);
});
both("its attributes are read-only accessors", ({ QuotaExceededError }) => {
  for (const name of ["quota", "requested"]) {
    const { get, set, enumerable } = describe(QuotaExceededError.prototype as object, name);
    same([get!.name, set === undefined, enumerable], [`get ${name}`, true, true]);
    throws(() => get!.call({}), TypeError);
    throws(() => Object.assign(new (QuotaExceededError as QuotaClass)(), { [name]: 1 }), TypeError);
  }
});
both("its arguments are optional", ({ QuotaExceededError }) => {
  const Class = QuotaExceededError as QuotaClass;
  for (const error of [new Class(), new Class(undefined, undefined), new Class("", null), new Class("", { quota: undefined })]) {
    same([error.message, error.quota, error.requested], ["", null, null]);
  }
});
both("its arguments are converted", ({ QuotaExceededError }) => {
  const Class = QuotaExceededError as QuotaClass;
  same([new Class({ toString: () => "x" }).message, new Class(null).message], ["x", "null"]);
  const { quota, requested } = new Class("", { quota: "5", requested: "9.5" });
  same([quota, requested], [5, 9.5]);
  equal(new Class("", { quota: null }).quota, 0);
  throws(() => new Class(Symbol()), TypeError);
  for (const bad of [NaN, Infinity, -Infinity, "x", {}, 5n, Symbol()]) throws(() => new Class("", { quota: bad }), TypeError, String(bad));
  for (const bad of [5, "x", true]) throws(() => new Class("", bad), TypeError);
  throws(() => (Class as unknown as () => void)(), TypeError, "call");
  const { options, log } = recorder({ requested: "2", quota: "1" });
  void new Class({ toString: () => (log.push("message"), "") }, options);
  same(log, ["message", "quota", "quota converted", "requested", "requested converted"]);
});
// Chromium's own does not check them yet.
says("its numbers are checked", ({ QuotaExceededError, page }) => {
  if (page) return;
  const Class = QuotaExceededError as QuotaClass;
  for (const bad of [{ quota: -1 }, { requested: -1 }, { quota: 5, requested: 4 }]) throws(() => new Class("", bad), RangeError);
  equal(new Class("", { quota: 5, requested: 5 }).quota, 5);
});

of("Instances");
says("have their options and defaults", async (env) => {
  await using(env, {}, (s) => same([s.type, s.format, s.length, s.preference, s.sharedContext, s.expectedInputLanguages, s.expectedContextLanguages, s.outputLanguage],
    ["key-points", "markdown", "short", "auto", "", null, null, null]));
  const given = { type: "tldr", format: "plain-text", length: "long", preference: "speed", sharedContext: "ships" } as const;
  await using(env, given, (s) => same([s.type, s.format, s.length, s.preference, s.sharedContext], Object.values(given)));
  equal(await using(env, { expectedInputLanguages: [] }, (s) => s.expectedInputLanguages), null);
});
says("do not follow later changes of the options", async (env) => {
  const options = { type: "tldr", expectedInputLanguages: ["en"] };
  const making = env.Summarizer.create(options as object);
  options.type = "teaser";
  options.expectedInputLanguages.push("fr");
  const s = await making;
  same([s.type, s.expectedInputLanguages], ["tldr", ["en"]]);
  s.destroy();
});
says("have a quota of Infinity and a usage of 0", (env) => using(env, {}, async (s) => {
  equal(s.inputQuota, Infinity);
  equal(await s.measureInputUsage(text), 0);
  equal(await s.measureInputUsage(text, { context: "ships" }), 0);
}));
