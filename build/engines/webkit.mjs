// WebKit: the MiniBrowser of WebKitGTK under Xvfb, driven by its WebDriver.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { find } from "../browsers.mjs";
import { tab, timeouts } from "./webdriver.mjs";

/** Time limits of a command, longer than those of the session, and of the start of a browser, in milliseconds. */
const LIMIT = timeouts.script + 10_000;
const STARTING = 30_000;

/** Paths of WebDriver's commands, below that of the session. */
const paths = {
  "WebDriver:Navigate": () => "url",
  "WebDriver:ExecuteAsyncScript": () => "execute/async",
  "WebDriver:FindElement": () => "element",
  "WebDriver:ElementClick": ({ id }) => `element/${id}/click`,
  "WebDriver:ElementSendKeys": ({ id }) => `element/${id}/value`,
  "WebDriver:PerformActions": () => "actions",
  "WebDriver:SetWindowRect": () => "window/rect",
};

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** A browser; `open` gives a tab with a storage of its own, one at a time. */
export async function launch() {
  const screen = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1400x1100x24", "-nolisten", "tcp"], { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const [display] = await once(screen.stdio[3], "data");
  let driver, port;
  const kill = () => [driver, screen].forEach((child) => child?.kill());
  process.on("exit", kill);

  async function call(method, path, body, limit = LIMIT) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, signal: AbortSignal.timeout(limit), ...(body && { body: JSON.stringify(body) }) });
    const { value } = await response.json();
    if (value?.error) throw new Error(`${value.error}: ${value.message}`);
    return value;
  }

  async function start() {
    port = await freePort();
    driver = spawn("WebKitWebDriver", [`--port=${port}`], { stdio: "ignore", env: { ...process.env, DISPLAY: `:${String(display).trim()}`, GDK_BACKEND: "x11", LANG: "en_US.UTF-8", LANGUAGE: "en_US" } });
    for (let i = 0; ; i++) {
      const problem = await call("GET", "/status").then(() => undefined, (error) => error);
      if (!problem) break;
      if (i > 300) throw problem;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
  await start();

  async function session() {
    for (let tries = 1; ; tries++) {
      try {
        const { sessionId, capabilities } = await call("POST", "/session", { capabilities: { alwaysMatch: { timeouts, "webkitgtk:browserOptions": { binary: find("webkit"), args: ["--automation"] } } } }, STARTING);
        return { at: `/session/${sessionId}`, version: capabilities.browserVersion };
      } catch (error) {
        // Now and then the browser dies as it starts, and the driver waits for it for ever.
        if (tries === 3) throw error;
        driver.kill();
        await (driver.exitCode ?? driver.signalCode ?? once(driver, "exit"));
        await start();
      }
    }
  }
  const { at, version } = await session();
  await call("DELETE", at);

  return {
    version,
    async open(viewport) {
      const { at } = await session();
      const send = (name, parameters) => (name === "WebDriver:TakeScreenshot" ? call("GET", `${at}/screenshot`) : call("POST", `${at}/${paths[name](parameters)}`, parameters));
      const opened = tab(send, () => call("DELETE", at));
      await opened.size(viewport);
      return opened;
    },
    async close() {
      process.off("exit", kill);
      kill();
      await Promise.all([driver, screen].map((child) => child.exitCode ?? child.signalCode ?? once(child, "exit")));
    },
  };
}
