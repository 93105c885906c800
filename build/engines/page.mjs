// A page in any engine, for scenarios, built on the few operations that every driver has.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Longest wait, in milliseconds: what else the machine does takes its time, too. */
const PATIENCE = 90_000;

const call = (fn, arg) => `(${fn})(${arg === undefined ? "" : JSON.stringify(arg)})`;

export class Page {
  #tab;
  #folder;

  constructor(tab) {
    this.#tab = tab;
  }

  goto(url) { return this.#tab.goto(url); }
  /** A real click, on what can be seen. */
  click(selector) { return this.#tab.click(selector); }
  /** Presses a key, such as "Enter", or keys together, such as "Control+a". */
  press(keys) { return this.#tab.keys(keys); }
  screenshot(path) { return this.#tab.screenshot(path); }

  /** Runs a function in the page with an argument of JSON; it may be async. */
  evaluate(fn, arg) { return this.#tab.run(call(fn, arg)); }

  /** Waits until a function says in the page that it holds. */
  async until(holds, arg) {
    const held = await this.#tab.run(`(async () => {
      for (const end = Date.now() + ${PATIENCE}; Date.now() < end; await new Promise((done) => setTimeout(done, 50))) if (await ${call(holds, arg)}) return true;
      return false;
    })()`);
    if (!held) throw new Error(`waited for in vain: ${holds}`);
  }

  /** Sets the value of a field, as if it had been typed. */
  async fill(selector, value) {
    await this.evaluate(([selector, value]) => {
      const field = document.querySelector(selector);
      field.focus();
      field.value = value;
      for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
    }, [selector, value]);
  }

  /** Chooses files by the field: [{ name, content }]. */
  async files(selector, files) {
    this.#folder ??= await mkdtemp(join(tmpdir(), "cerasum-files-"));
    const paths = files.map(({ name }) => join(this.#folder, name));
    for (const [i, { content }] of files.entries()) await writeFile(paths[i], content);
    await this.#tab.files(selector, paths);
  }

  text(selector) { return this.evaluate((selector) => document.querySelector(selector)?.textContent.trim(), selector); }
  texts(selector) { return this.evaluate((selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent), selector); }
  count(selector) { return this.evaluate((selector) => document.querySelectorAll(selector).length, selector); }
  /** The computed values of the first such element. */
  style(selector, ...names) {
    return this.evaluate(([selector, names]) => {
      const style = getComputedStyle(document.querySelector(selector));
      return names.map((name) => style.getPropertyValue(name));
    }, [selector, names]);
  }

  async close() {
    await this.#tab.close();
    if (this.#folder) await rm(this.#folder, { recursive: true, force: true });
  }
}
