// Text that no reader of a page sees is never read, whatever hides it, and what
// a reader can see or scroll to is.

import assert from "node:assert/strict";
import { again, count, test, within } from "../../common/tests/limits.mjs";
import { begin, marked, read, show } from "./lib.mjs";
import { story } from "./pages.mjs";

const says = (name) => `The ${name} crane of Nessel lifts ninety stones from the channel, the council said on Monday.`;
const pixel = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/** Style of a paragraph, or markup with the sentence at $. */
const hidden = {
  absent: "display:none",
  unseen: "visibility:hidden",
  collapsed: "visibility:collapse",
  opaque: "opacity:0",
  faint: "opacity:.01",
  nested: `<div style="opacity:0"><div><p>$</p></div></div>`,
  leftward: "position:absolute;left:-9999px",
  upward: "position:absolute;top:-9999px",
  shifted: "position:relative;left:-5000px",
  translated: "transform:translateX(-9999px)",
  margin: "margin-left:-9999px;width:500px",
  fixed: "position:fixed;top:200vh",
  indented: "text-indent:-9999px",
  pushed: "text-indent:100%;white-space:nowrap;overflow:hidden",
  flat: "height:0;overflow:hidden",
  flattened: "max-height:0;overflow:hidden",
  clipped: "height:0;overflow:clip",
  inner: `<div style="height:0;overflow:hidden"><p>A line.</p><div><p>$</p></div></div>`,
  beside: `<div style="position:relative;width:300px;height:40px;overflow:hidden"><p style="position:absolute;left:400px;width:300px">$</p></div>`,
  scaled: "transform:scale(0)",
  shrunk: "transform:scale(.01)",
  edgewise: "transform:rotateY(90deg)",
  property: "scale:0",
  zoomed: "zoom:.05",
  inset: "clip-path:inset(50%)",
  insets: "clip-path:inset(0 60% 0 40%)",
  circle: "clip-path:circle(0)",
  polygon: "clip-path:polygon(0 0,0 0,0 0)",
  rectangle: "position:absolute;clip:rect(0,0,0,0)",
  masked: "mask:linear-gradient(transparent,transparent)",
  maskless: "-webkit-mask-image:linear-gradient(rgba(0,0,0,0),rgba(0,0,0,0))",
  filtered: "filter:opacity(0)",
  percent: "filter:blur(0px) opacity(0%)",
  white: "color:white",
  whitish: "color:#fdfdfd",
  modern: "color:oklch(1 0 0)",
  boxed: "color:#111;background:#111",
  gradient: "color:#fff;background:linear-gradient(#fff,#fefefe)",
  overflowing: `<div style="background:#000;height:0"><p style="color:#fff">$</p></div>`,
  transparent: "color:transparent",
  faded: "color:rgba(0,0,0,.02)",
  filled: "-webkit-text-fill-color:transparent",
  fill: "-webkit-text-fill-color:#fff",
  tiny: "font-size:1px",
  sizeless: "font-size:0",
  crowded: "letter-spacing:-1em",
  dotted: "-webkit-text-security:disc",
  attribute: `<p hidden>$</p>`,
  found: `<p hidden="until-found">$</p>`,
  skipped: "content-visibility:hidden",
  folded: `<details><summary>More of it</summary><p>$</p></details>`,
  foldedText: `<details><summary>More of it</summary>$</details>`,
  reader: `<p style="position:absolute;width:1px;height:1px;padding:0;margin:-1px;overflow:hidden;clip:rect(0,0,0,0);white-space:nowrap;border:0">$</p>`,
  unfilled: "background:white;background-clip:text;-webkit-background-clip:text;color:transparent",
  pixel: `<p style="position:absolute;width:1px;height:1px;overflow:hidden">$</p>`,
  inlineOpaque: `<p>Before it. <b style="opacity:0">$</b></p>`,
  inlineWhite: `<p>Before it. <em style="color:#fff">$</em></p>`,
  inlineTiny: `<p>Before it. <small style="font-size:1px">$</small></p>`,
  inlineAway: `<p>Before it. <i style="position:absolute;left:-9999px">$</i></p>`,
  inlineFlat: `<p>Before it. <span style="display:inline-block;height:0;overflow:hidden">$</span></p>`,
  inlineFound: `<p>Before it. <span hidden="until-found" style="display:block">$</span></p>`,
  contents: `<div style="display:contents;color:white"><p>$</p></div>`,
  scroller: `<div style="width:300px;height:60px;overflow:auto;position:relative"><p style="position:absolute;left:-600px;width:300px">$</p><p>A line.</p></div>`,
  later: `<p style="height:1.1em;line-height:1.1;overflow:hidden">The first line of a box stands in it and can be read to its end, where it fills what is there of the width of the whole window, to be sure of it. $</p>`,
};
const visible = {
  plain: "",
  scrolled: `<div style="height:60px;overflow:auto" data-scrolled><p style="height:300px">A line.</p><p>$</p><p style="height:300px">A line.</p></div>`,
  passed: `<div style="height:60px;overflow:auto" data-scrolled><p>$</p><p style="height:600px">A line.</p></div>`,
  sideways: `<div style="width:300px;overflow-x:auto;white-space:nowrap"><p style="margin-left:900px">$</p></div>`,
  rightward: `<div style="width:300px;overflow-x:scroll;direction:rtl"><p style="width:1200px;margin-right:600px">$</p></div>`,
  hiddenBox: "overflow:hidden",
  dark: "background:#222;color:#fff",
  pictured: `<div style="background:url(${pixel});color:#fff"><p>$</p></div>`,
  hero: `<div style="position:relative;height:60px"><img src="${pixel}" style="position:absolute;inset:0;width:100%;height:100%" alt=""><div style="position:relative;color:#fff"><p>$</p></div></div>`,
  overlay: `<div style="position:relative;height:60px"><div style="position:absolute;inset:0;background:#000"></div><div style="position:relative;color:#fff"><p>$</p></div></div>`,
  before: `<style>.before::before{content:"";position:absolute;inset:0;background:#123;z-index:-1}</style><div class="before" style="position:relative;z-index:0;height:60px;color:#fff"><p>$</p></div>`,
  lettered: "background:linear-gradient(red,blue);-webkit-background-clip:text;background-clip:text;color:transparent",
  graded: "background:linear-gradient(#000,#333);color:#fff",
  grey: "color:#888",
  small: "font-size:9px",
  half: "opacity:.5",
  moved: "transform:translate(10px,10px) scale(.9)",
  turned: "transform:rotate(90deg);width:300px;margin:300px 0",
  cut: "clip-path:inset(0 0 0 0 round 4px)",
  lit: "mask:linear-gradient(#000,#0008)",
  auto: `<section style="content-visibility:auto;contain-intrinsic-size:auto 10px"><p>$</p></section>`,
  autoFlat: `<section style="content-visibility:auto;overflow:hidden"><p>$</p></section>`,
  again: `<div style="visibility:hidden"><p>Not this. <span style="visibility:visible">$</span></p></div>`,
  open: `<details open><summary>More of it</summary><p>$</p></details>`,
  contents: `<div style="display:contents"><p>$</p></div>`,
  inline: `<p>The <b>first</b> <i style="color:navy">and</i> <code>only</code> one. <span>$</span></p>`,
  table: `<table><tr style="background:#000;color:#fff"><td><p>$</p></td></tr></table>`,
  preformatted: `<pre style="overflow:hidden;width:1200px">A line.\n\n$\n</pre>`,
  columns: "columns:3;height:4em",
  outside: `<div style="height:0"><p>$</p></div><p style="height:6em"></p>`,
  below: `<div style="height:4000px"></div><p>$</p>`,
};
const made = (name, how) => (how.includes("<") ? how.replace("$", says(name)) : `<p style="${how}">${says(name)}</p>`);
const page = (parts, { head = "", body = "" } = {}) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Seen</title>${head}</head><body ${body}><article><h1>Seen</h1>${story.en.map((text) => `<p>${text}</p>`).join("")}${parts}</article></body></html>`;
const framing = (parts) => `<!doctype html><html lang="en"><title>Frames</title><body><h1>Minutes</h1>${parts}`;
const scrolling = "<script>for (const one of document.querySelectorAll('[data-scrolled]')) one.scrollTop = 200</script>";

const pages = {
  ...Object.fromEntries(Object.entries(hidden).map(([name, how]) => [`mallory/h-${name}`, page(`${made(name, how)}<p>${says("neighbouring")}</p>`)])),
  "alfa/visible": page(Object.entries(visible).map(([name, how]) => made(name, how)).join("\n") + scrolling),
  "alfa/night": page(`<p>${says("nightly")}</p><p style="color:#111">${says("darkened")}</p>`, { body: 'style="background:#111;color:#fff"' }),
  "alfa/locked": page(`<div style="height:3000px"></div><p>${says("locked")}</p>`, { head: "<style>html,body{height:100%;overflow:hidden}</style>" }),
  "alfa/scheme": page(`<p>${says("schemed")}</p>`, { head: "<style>:root{color-scheme:dark}</style>" }),
  "alfa/rtl": page(`<p>${says("mirrored")}</p>`, { body: 'dir="rtl"' }),
  "alfa/framed": framing(["", "opacity:0", "position:absolute;left:-9999px", "visibility:hidden"].map((style, i) => `<iframe width=600 height=300 style="border:0;${style}" srcdoc='<p>${says(`framed${i}`)} ${says(`framing${i}`)} ${says(`frame${i}`)}</p><p style="color:white">${says(`white${i}`)}</p>'></iframe>`).join("")),
  "alfa/gone": page(`<p id="later">${says("vanishing")}</p>`),
  "alfa/many": () => page(Array.from({ length: 2500 }, (_, i) => `<div><p>Sentence <b>${i}</b> of a page says that the harbour has ${i} stones.</p></div>`).join("")),
  "alfa/sections": () => page(Array.from({ length: 500 }, (_, i) => `<section style="content-visibility:auto"><p>Sentence <b>${i}</b> of a page says that the harbour has ${i} stones.</p></section>`).join("")),
  "alfa/pale": () => page(Array.from({ length: 1500 }, (_, i) => `<p style="color:#fff">Sentence <b>${i}</b> of a page says that the harbour has ${i} stones.</p>`).join("")),
};

const { site, browser, panel } = await begin(Object.fromEntries(Object.entries(pages).map(([place, body]) => [place, typeof body === "function" ? body() : body])));

async function readPage(place) {
  const page = await browser.visit(site.url(place));
  const result = await read(panel, place.replace(/^[^/]*/, ""));
  await page.close();
  return result;
}

again("what is hidden, in whatever way, is not read; what stands beside it is", async () => {
  const page = await browser.context.newPage();
  const wrong = [];
  for (const name of Object.keys(hidden).filter((_, i) => i % count(3, 1) === 0)) {
    await page.goto(site.url(`mallory/h-${name}`));
    const { text = "", reason } = await read(panel, `/h-${name}`);
    if (text.includes(`The ${name} crane`)) wrong.push(`${name} is read`);
    for (const seen of [story.en[0], says("neighbouring")]) if (!text.includes(seen)) wrong.push(`with ${name}, its neighbour is not (${reason})`);
  }
  await page.close();
  assert.deepEqual(wrong, []);
});

test("what can be seen or scrolled to is read", async () => {
  const { text } = await readPage("alfa/visible");
  assert.deepEqual(Object.keys(visible).filter((name) => !text.includes(says(name))), []);
  assert.ok(!text.includes("Not this."));
});

test("dark pages, pages that lock their scrolling, pages from right to left", async () => {
  const { text } = await readPage("alfa/night");
  assert.ok(text.includes(says("nightly")) && !text.includes(says("darkened")), text);
  for (const [place, name] of [["alfa/locked", "locked"], ["alfa/scheme", "schemed"], ["alfa/rtl", "mirrored"]]) {
    const { text } = await readPage(place);
    assert.ok(text.includes(says(name)) && text.includes(story.en[0]), place);
  }
});

test("frames: what is hidden in them, and frames that are hidden", async () => {
  const { text } = await readPage("alfa/framed");
  assert.ok(text.includes(says("framed0")), text);
  assert.ok(!/The (?:white|framed[1-3]|framing[1-3]|frame[1-3])/.test(text), text);
});

test("a quote that is no longer visible is not marked, and it says so", async () => {
  const page = await browser.visit(site.url("alfa/gone"));
  assert.equal(await show(panel, "/gone", { sentence: says("vanishing") }), "highlighted");
  assert.equal((await marked(page)).text, says("vanishing"));
  for (const style of ["opacity:0", "position:absolute;left:-9999px", "transform:scale(0)", "color:#fff"]) {
    await page.evaluate((style) => document.getElementById("later").setAttribute("style", style), style);
    assert.equal(await show(panel, "/gone", { sentence: says("vanishing") }), "unseen", style);
    assert.equal((await marked(page)).text, "");
  }
  await page.evaluate(() => document.getElementById("later").removeAttribute("style"));
  assert.equal(await show(panel, "/gone", { sentence: says("vanishing") }), "highlighted");
  await page.close();
});

again("pages of thousands of elements are read well within a second", async () => {
  for (const place of ["alfa/many", "alfa/sections", "alfa/pale"]) {
    const { text = "", took, partial } = await readPage(place);
    if (process.env.CERASUM_TOOK) console.log(place, took);
    assert.equal(partial, false);
    if (place === "alfa/pale") assert.ok(!text.includes("Sentence"));
    else assert.ok(text.includes(place === "alfa/many" ? "Sentence 2499 " : "Sentence 499 "), place);
    within(took, 1000, place);
  }
});

again("the extension has made no network request", () => {
  assert.deepEqual(browser.log, []);
});
