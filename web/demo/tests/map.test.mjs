// The map of sentences: where they stand, and what can be done with them.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { runnerImport } from "vite";
import { begin, here, loadSample, open, paste, quotes, summarized } from "./lib.mjs";

describe("the projection", () => {
  let dense, words, project;
  before(async () => {
    ({ dense, words, project } = (await runnerImport(here("../src/map/project.ts"))).module);
  });

  /** Numbers without a pattern, the same every time. */
  const noise = (n, seed = 1) => Float32Array.from({ length: n }, (_, i) => Math.sin((i + 1) * 12.9898 * seed + Math.sin(i * 78.233)));

  /** The same by Jacobi's method on the whole matrix of covariance. */
  function naive(rows, D) {
    const N = rows.length / D;
    const unit = Array.from({ length: N }, (_, i) => {
      const row = [...rows.subarray(i * D, (i + 1) * D)];
      const length = Math.hypot(...row);
      return row.map((value) => (length > 0 ? value / length : 0));
    });
    const mean = Array.from({ length: D }, (_, k) => unit.reduce((sum, row) => sum + row[k], 0) / N);
    const centred = unit.map((row) => row.map((value, k) => value - mean[k]));
    const A = Array.from({ length: D }, (_, a) => Array.from({ length: D }, (_, b) => centred.reduce((sum, row) => sum + row[a] * row[b], 0)));
    const V = A.map((_, a) => A.map((_, b) => (a === b ? 1 : 0)));
    for (let sweep = 0; sweep < 60; sweep++) {
      for (let p = 0; p < D; p++) for (let q = p + 1; q < D; q++) {
        if (Math.abs(A[p][q]) < 1e-14) continue;
        const angle = 0.5 * Math.atan2(2 * A[p][q], A[q][q] - A[p][p]);
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        for (let k = 0; k < D; k++) [A[k][p], A[k][q]] = [c * A[k][p] - s * A[k][q], s * A[k][p] + c * A[k][q]];
        for (let k = 0; k < D; k++) [A[p][k], A[q][k]] = [c * A[p][k] - s * A[q][k], s * A[p][k] + c * A[q][k]];
        for (let k = 0; k < D; k++) [V[k][p], V[k][q]] = [c * V[k][p] - s * V[k][q], s * V[k][p] + c * V[k][q]];
      }
    }
    const weights = A.map((row, k) => row[k]);
    const order = weights.map((_, k) => k).sort((a, b) => weights[b] - weights[a]);
    const share = (weights[order[0]] + weights[order[1]]) / weights.reduce((a, b) => a + b);
    return { axes: order.slice(0, 2).map((k) => centred.map((row) => row.reduce((sum, value, d) => sum + value * V[d][k], 0))), share };
  }

  test("the first two principal components, as another method finds them", () => {
    for (const [N, D] of [[2, 3], [7, 4], [40, 6], [300, 12]]) {
      const rows = noise(N * D, N);
      // Directions that differ in weight, as those of real vectors do.
      for (let i = 0; i < rows.length; i++) rows[i] *= 3 / (1 + (i % D) ** 1.5);
      const { x, y, share } = project(dense(rows, D));
      const wanted = naive(rows, D);
      for (const [got, want] of [[x, wanted.axes[0]], [y, wanted.axes[1]]]) {
        const sign = Math.sign(got.reduce((sum, value, i) => sum + value * want[i], 0)) || 1;
        got.forEach((value, i) => assert.ok(Math.abs(value - sign * want[i]) < 2e-3, `${N} × ${D}, sentence ${i}: ${value}, wanted ${sign * want[i]}`));
      }
      assert.ok(Math.abs(share - wanted.share) < 1e-3, `${share}, wanted ${wanted.share}`);
    }
  });

  test("words: sentences on one subject stand together, in any script", () => {
    for (const texts of [
      ["The harbour is closed.", "Ships wait for the harbour.", "The harbour has ships.", "Bees make honey.", "Honey of bees tastes sweet.", "Bees like honey."],
      ["港閉鎖", "港に船", "船と港", "蜂蜜", "蜂が蜜を作る", "蜜蜂"],
    ]) {
      const { x, y, share } = project(words(texts));
      const between = (i, j) => Math.hypot(x[i] - x[j], y[i] - y[j]);
      for (const [i, j] of [[0, 1], [1, 2], [3, 4], [4, 5]]) for (const k of i < 3 ? [3, 4, 5] : [0, 1, 2]) assert.ok(between(i, j) < between(i, k), `${texts[i]} | ${texts[j]} | ${texts[k]}`);
      assert.ok(share > 0.3 && share <= 1, `${share}`);
    }
  });

  test("the same vectors give the same map, and odd ones are no trouble", () => {
    const rows = noise(30 * 8);
    assert.deepEqual(project(dense(rows, 8)), project(dense(rows, 8)));
    for (const vectors of [dense(new Float32Array(0), 4), dense(noise(4), 4), dense(new Float32Array(12), 4), words([]), words(["", "?!"]), words(["one", "two"]), dense(new Float32Array(20).fill(1), 4)]) {
      const { x, y, share } = project(vectors);
      for (const value of [...x, ...y, share]) assert.ok(Math.abs(value) < 1e-6, `${value}`);
    }
  });
});

const { server, browser } = await begin();

describe("the map on the page", () => {
  const openMap = async (page) => {
    await page.click("#map-section > summary");
    await page.waitForSelector(".map .dot");
  };
  const dots = (page) => page.$$eval(".map .dot", (all) => all.map((one) => {
    const box = one.getBoundingClientRect();
    return { hue: [...one.classList].find((name) => name.startsWith("hue-")), quoted: one.classList.contains("quoted"), x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }));
  const active = (page) => page.$$eval("#reader-text mark.active", (all) => all.map((one) => one.textContent));

  test("a dot a sentence in the colour of its document, the quoted ones diamonds; said in words too", async () => {
    const { page, context, log, requests } = await open(browser, server.url);
    await loadSample(page, "en");
    assert.ok(!requests.some((url) => /\/map-/.test(url)), "the map loads when it is opened");
    await openMap(page);
    const found = await dots(page);
    const lines = await page.$$eval(".map-words li", (all) => all.map((one) => one.textContent));
    const counts = lines.map((line) => /: (\d+) sentences?, (\d+) quoted; nearest: Document \d+\.$/.exec(line).slice(1).map(Number));
    assert.equal(lines.length, await page.locator("#document-list > li").count());
    counts.forEach(([sentences, quoted], i) => {
      const own = found.filter(({ hue }) => hue === `hue-${i + 1}`);
      assert.equal(own.length, sentences);
      assert.equal(own.filter((one) => one.quoted).length, quoted);
    });
    assert.equal(found.filter(({ quoted }) => quoted).length, (await quotes(page)).length);
    assert.ok(new Set(found.map(({ x, y }) => `${x.toFixed()},${y.toFixed()}`)).size > found.length / 2, "they do not lie on one spot");
    const box = await page.locator(".map").boundingBox();
    for (const { x, y } of found) assert.ok(x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height);
    assert.match(await page.textContent("#map-about"), /share words.*\d+\u00a0?%/s);

    // A longer summary: the same dots, more of them diamonds.
    await summarized(page, () => page.fill("#budget-number", "250"));
    await page.waitForFunction((n) => document.querySelectorAll(".map .dot.quoted").length > n, found.filter(({ quoted }) => quoted).length);
    assert.equal((await dots(page)).filter(({ quoted }) => quoted).length, (await quotes(page)).length);
    assert.deepEqual(log, []);
    await context.close();
  });

  test("pointing at a dot reads it, a click shows it in its document; the keyboard does both", async () => {
    const { page, context, log } = await open(browser, server.url);
    await loadSample(page, "es");
    await openMap(page);
    await page.locator(".map").scrollIntoViewIfNeeded();
    const [diamond] = (await dots(page)).filter(({ quoted }) => quoted);
    await page.mouse.move(diamond.x, diamond.y);
    const read = await page.textContent(".map-caption > span:last-child");
    await page.mouse.click(diamond.x, diamond.y);
    const [sentence] = await active(page);
    assert.ok((await quotes(page)).includes(sentence));
    assert.ok(sentence.startsWith(read.replace(/…$/, "")));
    assert.equal(await page.locator("#quotes .quote.current").count(), 1, "its quote is marked");

    await page.focus(".map");
    const value = () => page.getAttribute(".map", "aria-valuetext");
    const seen = new Set([await value()]);
    for (const key of ["Home", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "End"]) {
      await page.keyboard.press(key);
      seen.add(await value());
    }
    assert.ok(seen.size >= 4, [...seen].join(" | "));
    await page.keyboard.press("PageDown");
    assert.match(await value(), /, quoted: /);
    const said = await value();
    await page.keyboard.press("Enter");
    assert.ok(said.includes((await active(page))[0].slice(0, 60)));
    assert.deepEqual(log, []);
    await context.close();
  });

  test("documents in several languages: by what the encoder says of their meaning", async () => {
    const { page, context, log } = await open(browser, server.url);
    await loadSample(page, "mixed");
    await page.waitForFunction(() => /encoder:/.test(document.getElementById("status").textContent));
    await openMap(page);
    assert.match(await page.textContent("#map-about"), /similar meanings/);
    await summarized(page, () => page.selectOption("#encoder", "none"));
    await page.waitForFunction(() => /share words/.test(document.getElementById("map-about").textContent));
    assert.deepEqual(log, []);
    await context.close();
  });

  test("too few sentences are no map; thousands are thinned out, and it says so", async () => {
    const { page, context, log } = await open(browser, server.url);
    await summarized(page, () => paste(page, "The harbour of Nessel is closed."));
    await page.click("#map-section > summary");
    await page.waitForFunction(() => /Too few/.test(document.getElementById("map-about")?.textContent));
    assert.equal(await page.isVisible(".map"), false);
    const places = ["harbour", "market", "bridge", "school", "mill", "tower", "station"];
    const text = Array.from({ length: 5000 }, (_, i) => `On day ${i} the ${places[i % 7]} of Nessel was seen by ${(i * 7919) % 1000} people.`).join("\n");
    await summarized(page, () => page.evaluate((all) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", all);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, text));
    await page.waitForFunction(() => document.querySelectorAll(".map .dot").length > 1000);
    const found = await dots(page);
    assert.ok(found.length <= 2010, `${found.length} dots`);
    assert.equal(found.filter(({ quoted }) => quoted).length, (await quotes(page)).length);
    assert.match(await page.textContent("#map-about"), /of 5,001 sentences, including all quoted/);
    assert.deepEqual(log, []);
    await context.close();
  });
});
