// Cases for what the Writing Assistance APIs (of the commit in standard.ts), Web
// IDL and DOM require of the Summarizer: under Node, in a page, and what needs no
// model with Chromium's own class, so that the cases do not only say what ours
// does. js/README.md says what they leave out, and lists the deviations.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { Summarizer } from "cerasum";
import { CreateMonitor } from "../dist/create-monitor.js";
import { standIn } from "../dist/quota-exceeded.js";
import { cases, type Env } from "./conformance/harness.js";
import "./conformance/behaviour.js";
import "./conformance/idl.js";
import { openPage } from "./page.js";

const title = ({ of, says }: (typeof cases)[number]): string => `${of}: ${says}`;

describe("under Node", () => {
  const env = { Summarizer, CreateMonitor, QuotaExceededError: standIn(), page: false, own: false } as unknown as Env;
  const warnings: Error[] = [];
  const warned = (warning: Error): void => void warnings.push(warning);
  // One for all: without it each create would start a core anew.
  let keep: Summarizer;
  before(async () => {
    process.on("warning", warned);
    keep = await Summarizer.create();
  });
  after(() => {
    keep.destroy();
    process.off("warning", warned);
    assert.deepEqual(warnings, [], "Node finds no leak");
  });
  for (const one of cases) it(title(one), async () => one.run(env));
});

describe("in a page", () => {
  let opened: Awaited<ReturnType<typeof openPage>>;
  const files = Object.fromEntries(["harness", "behaviour", "idl"].map((name) =>
    [`/conformance/${name}.js`, readFileSync(new URL(`./conformance/${name}.js`, import.meta.url), "utf8")]));
  before(async () => {
    opened = await openPage({
      ...files,
      "/frame.html": '<!doctype html><script type="module" src="/frame.js"></script>',
      "/frame.js": 'import { Summarizer } from "/dist/index.js"; globalThis.ours = Summarizer;',
      "/page.js": `import { cases } from "/conformance/harness.js";
        import "/conformance/behaviour.js";
        import "/conformance/idl.js";
        import { installPolyfill, Summarizer } from "/dist/index.js";
        const { CreateMonitor, QuotaExceededError } = globalThis;
        const browsers = { Summarizer: globalThis.Summarizer, CreateMonitor, QuotaExceededError, page: true, own: true };
        delete globalThis.CreateMonitor;
        installPolyfill({ force: true });
        const ours = { Summarizer, CreateMonitor: globalThis.CreateMonitor, QuotaExceededError, page: true, own: false };
        globalThis.keep = await Summarizer.create();
        globalThis.has = browsers.Summarizer !== undefined;
        globalThis.run = async (i, own) => {
          try {
            await cases[i].run(own ? browsers : ours);
          } catch (error) {
            return error.stack || String(error);
          }
        };`,
    });
    await opened.page.addScriptTag({ type: "module", url: "/page.js" });
    await opened.page.waitForFunction(() => "run" in globalThis);
  });
  after(() => opened?.close());

  const run = async (i: number, own: boolean): Promise<void> => {
    const error = await opened.page.evaluate(([i, own]) => (globalThis as unknown as { run(i: number, own: boolean): Promise<string | undefined> }).run(i as number, own as boolean), [i, own]);
    assert.equal(error, undefined);
  };
  for (const [i, one] of cases.entries()) it(title(one), () => run(i, false));

  it("Chromium has a class to compare with", async () => assert.ok(await opened.page.evaluate(() => (globalThis as { has?: boolean }).has)));
  for (const [i, one] of cases.entries()) if (one.oracle) it(`the browser's own, ${title(one)}`, () => run(i, true));
});
