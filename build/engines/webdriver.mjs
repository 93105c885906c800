// A tab driven by W3C WebDriver. `send` sends a command by its name in Firefox's
// Marionette protocol and resolves with its value: firefox.mjs, webkit.mjs.

import { writeFile } from "node:fs/promises";

/** Keys that have a code of WebDriver's own. */
const codes = { Enter: "\uE007", Tab: "\uE004", Escape: "\uE00C", ArrowDown: "\uE015", ArrowUp: "\uE013", Control: "\uE009" };
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** Time limits of a session, in milliseconds. */
export const timeouts = { script: 300_000, pageLoad: 120_000 };

export function tab(send, close) {
  const run = async (expression) => {
    const { value, error } = await send("WebDriver:ExecuteAsyncScript", {
      script: `const done = arguments[arguments.length - 1]; (async () => (${expression}))().then((value) => done({ value }), (error) => done({ error: \`\${error}\\n\${error?.stack ?? ""}\` }));`,
      args: [],
    });
    if (error !== undefined && error !== null) throw new Error(error);
    return value ?? undefined;
  };
  const element = async (selector) => (await send("WebDriver:FindElement", { using: "css selector", value: selector }))[ELEMENT];
  return {
    goto: (url) => send("WebDriver:Navigate", { url }),
    run,
    async click(selector) {
      const id = await element(selector);
      await run(`document.querySelector(${JSON.stringify(selector)}).scrollIntoView({ block: "center", behavior: "instant" })`);
      await send("WebDriver:ElementClick", { id });
    },
    keys(keys) {
      const all = keys.split("+").map((key) => codes[key] ?? key);
      return send("WebDriver:PerformActions", { actions: [{ type: "key", id: "keyboard", actions: [...all.map((value) => ({ type: "keyDown", value })), ...[...all].reverse().map((value) => ({ type: "keyUp", value }))] }] });
    },
    files: async (selector, paths) => send("WebDriver:ElementSendKeys", { id: await element(selector), text: paths.join("\n") }),
    screenshot: async (path) => writeFile(path, Buffer.from(await send("WebDriver:TakeScreenshot", { full: false }), "base64")),
    close,
    /** Makes the page as large as it is wanted: the size of a window is with its frame. */
    async size({ width, height }) {
      await send("WebDriver:SetWindowRect", { x: 0, y: 0, width, height });
      const [w, h] = await run("[innerWidth, innerHeight]");
      await send("WebDriver:SetWindowRect", { x: 0, y: 0, width: 2 * width - w, height: 2 * height - h });
    },
  };
}
