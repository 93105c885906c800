// What the package's users do: each of js/examples, built from the packed
// tarball, served from a folder of a host under the strict content security
// policy, and run in Chromium.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { install, type Installed, run } from "./package.js";
import { launch, policy, types } from "./page.js";
import { root } from "./support.js";

/** What an example shows. */
interface Shown {
  summary: string[];
  abroad: string[];
  state: string;
}

/** Each example, the packages that build it, and the folder that is put on a host. */
const examples: { name: string; packages: Record<string, string>; site: string; main: string; hashed: RegExp[] }[] = [
  {
    name: "vite", packages: { vite: "vite" }, site: "dist", main: "src/main.js",
    hashed: [/^assets\/index-[\w-]{8}\.js$/, /^assets\/worker-[\w-]{8}\.js$/, /^assets\/encoder-worker-[\w-]{8}\.js$/, /^assets\/cerasum-[\w-]{8}\.wasm$/],
  },
  {
    name: "webpack", packages: { "webpack": "webpack", "webpack-cli": "webpack-cli" }, site: "public", main: "src/main.js",
    hashed: [/^assets\/cerasum\.[\da-f]{20}\.js$/, /^assets\/cerasum-encoder\.[\da-f]{20}\.js$/, /^assets\/[\da-f]{20}\.wasm$/],
  },
  { name: "esbuild", packages: { esbuild: "esbuild" }, site: "public", main: "src/main.js", hashed: [] },
  { name: "plain", packages: {}, site: "public", main: "public/main.js", hashed: [] },
];

const source = ({ name, main }: (typeof examples)[number]): string => readFileSync(join(root, "js/examples", name, main), "utf8");

/** A host that has the folder below /some/site/, as a file for each address. */
async function serve(folder: string, asked: string[]): Promise<{ server: Server; address: string }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    asked.push(pathname);
    response.setHeader("content-security-policy", policy);
    const path = join(folder, decodeURIComponent(pathname.replace(/^\/some\/site\//, "")).replace(/^$/, "index.html"));
    if (pathname === "/favicon.ico") response.writeHead(204).end();
    else if (pathname.startsWith("/some/site/") && existsSync(path) && statSync(path).isFile()) {
      response.setHeader("content-type", types[extname(path)] ?? "application/octet-stream");
      response.end(readFileSync(path));
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/site/` };
}

describe("examples, from the tarball", () => {
  let installed: Installed;
  let browser: Browser;
  let wanted: Shown;

  before(async () => {
    installed = await install();
    browser = await launch();
    // The very script of an example, run by Node with as much of a page as it touches.
    const script = `
      const shown = {};
      globalThis.document = {
        createElement: () => ({}),
        getElementById: (id) => ({
          replaceChildren: (...items) => { shown[id] = items.map(({ textContent }) => textContent); },
          set textContent(text) { shown[id] = text; },
        }),
      };
      await import(${JSON.stringify(join(installed.example("vite", {}), "src/main.js"))});
      console.log(JSON.stringify(shown));`;
    wanted = JSON.parse(await run(process.execPath, ["--input-type=module", "-e", script], installed.folder)) as Shown;
  });

  after(async () => {
    await browser?.close();
    installed?.remove();
  });

  it("Node summarizes and embeds", () => {
    assert.equal(wanted.summary.length, 2);
    assert.match(wanted.summary.join(" "), /Aurora.* \((Harbour Post|Evening Bell)\)/);
    assert.equal(wanted.abroad.length, 2);
    assert.match(wanted.state, /^The two reports have a cosine of 0\.\d\d\.$/);
  });

  it("all examples have one script", () => {
    const [first, ...others] = examples.map((example) => source(example).replace(/from ".*cerasum.*";/, 'from "cerasum";'));
    others.forEach((other, i) => assert.equal(other, first, examples[i + 1]!.name));
  });

  for (const { name, packages, site, hashed } of examples) {
    it(name, async (t) => {
      const folder = installed.example(name, packages);
      const said = await run("npm", ["run", "build"], folder);
      assert.doesNotMatch(said, /warn/i);
      const files = readdirSync(join(folder, site), { recursive: true, encoding: "utf8" }).filter((file) => statSync(join(folder, site, file)).isFile());
      for (const pattern of hashed) assert.ok(files.some((file) => pattern.test(file)), `no ${pattern} in ${files.join(", ")}`);
      // Nothing of the machine that built it.
      for (const file of files.filter((file) => /\.(m?js|html)$/.test(file))) {
        assert.equal(readFileSync(join(folder, site, file), "utf8").includes(installed.folder), false, file);
      }

      const asked: string[] = [];
      const { server, address } = await serve(join(folder, site), asked);
      const context = await browser.newContext();
      try {
        const page = await context.newPage();
        const complaints: string[] = [];
        page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
        page.on("pageerror", (error) => complaints.push(String(error)));
        context.on("request", (request) => request.url().startsWith(address) || complaints.push(`asked for ${request.url()}`));
        await page.goto(address);
        await page.waitForFunction(() => !document.getElementById("state")!.textContent!.startsWith("Loading"), undefined, { timeout: 180_000 });
        const items = (id: string): Promise<string[]> => page.locator(`#${id} li`).allTextContents();
        const shown: Shown = { summary: await items("summary"), abroad: await items("abroad"), state: (await page.locator("#state").textContent())! };
        assert.deepEqual(complaints, []);
        assert.deepEqual(shown, wanted);
        assert.equal(new Set(asked).size, asked.length, `asked twice: ${asked.join(" ")}`);
        const bytes = asked.reduce((sum, path) => {
          const file = join(folder, site, path.replace("/some/site/", ""));
          return sum + (existsSync(file) && statSync(file).isFile() ? statSync(file).size : 0);
        }, 0);
        t.diagnostic(`${name}: ${files.length} files, ${asked.length} of them asked for, ${(bytes / 1e6).toFixed(1)} MB`);
      } finally {
        await context.close();
        server.closeAllConnections();
        server.close();
      }
    });
  }
});
