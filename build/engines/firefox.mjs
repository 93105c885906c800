// Firefox as Debian ships it, driven by Marionette: the WebDriver that is part of it, to
// which geckodriver only passes on. Unlike WebDriver BiDi, it also drives the pages
// of extensions (https://bugzilla.mozilla.org/show_bug.cgi?id=1755014).

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { find } from "../browsers.mjs";
import { tab, timeouts } from "./webdriver.mjs";

/** Connects to Marionette: messages are "LENGTH:[type, id, …]". */
async function marionette(port) {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const waiting = new Map();
  let buffer = Buffer.alloc(0);
  socket.on("data", (data) => {
    buffer = Buffer.concat([buffer, data]);
    for (let at; (at = buffer.indexOf(":")) >= 0;) {
      const end = at + 1 + Number(buffer.subarray(0, at));
      if (buffer.length < end) return;
      const message = JSON.parse(buffer.subarray(at + 1, end));
      buffer = buffer.subarray(end);
      // The first message is a greeting.
      if (!Array.isArray(message)) continue;
      const [, id, error, result] = message;
      const { resolve, reject } = waiting.get(id);
      waiting.delete(id);
      if (error) reject(new Error(`${error.error}: ${error.message}`));
      else resolve(result && typeof result === "object" && "value" in result && Object.keys(result).length === 1 ? result.value : result);
    }
  });
  socket.on("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("Firefox has ended"));
  });
  let last = 0;
  return {
    send: (name, parameters) => new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      const text = JSON.stringify([0, id, name, parameters]);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    }),
    end: () => socket.destroy(),
  };
}

/** A browser; `open` gives a tab. `prefs` are Firefox's preferences. */
export async function launch(prefs = {}) {
  const profile = await mkdtemp(join(tmpdir(), "cerasum-firefox-"));
  const all = { "marionette.port": 0, "intl.accept_languages": "en-US, en", "browser.shell.checkDefaultBrowser": false, "datareporting.policy.dataSubmissionEnabled": false, ...prefs };
  await writeFile(join(profile, "user.js"), Object.entries(all).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(""));
  const browser = spawn(find("firefox"), ["--headless", "--no-remote", "--marionette", "--remote-allow-system-access", "--profile", profile], { stdio: "ignore", env: { ...process.env, MOZ_HEADLESS_WIDTH: "1400", MOZ_HEADLESS_HEIGHT: "1100" } });
  const kill = () => browser.kill("SIGKILL");
  process.on("exit", kill);
  const port = join(profile, "MarionetteActivePort");
  for (let i = 0; !existsSync(port); i++) {
    if (i > 600 || browser.exitCode !== null) throw new Error(`Firefox did not start (exit status ${browser.exitCode})`);
    await new Promise((done) => setTimeout(done, 100));
  }
  const { send, end } = await marionette(Number(await readFile(port, "utf8")));
  const { capabilities } = await send("WebDriver:NewSession", {});
  await send("WebDriver:SetTimeouts", timeouts);

  let current, secretWindow;
  /** Commands for one tab, which becomes the current one. */
  const within = (handle) => async (name, parameters) => {
    if (current !== handle) await send("WebDriver:SwitchToWindow", { handle, focus: true });
    current = handle;
    return send(name, parameters);
  };
  return {
    version: capabilities.browserVersion,
    /** A tab; `secret` is one of a private window, of which there is one. */
    async open(viewport, { secret = false } = {}) {
      let handle;
      if (secret && !secretWindow) ({ handle } = secretWindow = await send("WebDriver:NewWindow", { type: "window", focus: true, private: true }));
      else {
        // A tab opens in the window of the current one.
        if (secret) await send("WebDriver:SwitchToWindow", { handle: secretWindow.handle, focus: true });
        ({ handle } = await send("WebDriver:NewWindow", { type: "tab", focus: true }));
      }
      const own = within(handle);
      const opened = tab(own, async () => {
        await own("WebDriver:CloseWindow", {});
        [current] = await send("WebDriver:GetWindowHandles", {});
        await send("WebDriver:SwitchToWindow", { handle: current });
      });
      if (viewport) await opened.size(viewport);
      return opened;
    },
    install: (folder) => send("Addon:Install", { path: folder, temporary: true, allowPrivateBrowsing: true }),
    /** Runs an expression with the rights of the browser itself. */
    async chrome(expression) {
      await send("Marionette:SetContext", { value: "chrome" });
      try {
        return await tab(send).run(expression);
      } finally {
        await send("Marionette:SetContext", { value: "content" });
      }
    },
    async close() {
      end();
      kill();
      process.off("exit", kill);
      if (browser.exitCode === null && browser.signalCode === null) await once(browser, "exit");
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
