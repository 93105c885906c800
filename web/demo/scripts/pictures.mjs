// The pictures of the documentation, docs/*.png. Each carries what was shown when it was
// made, so that a test tells when it has aged. The pixels would not do: they depend on
// the fonts of the machine.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { commentOf, shrink } from "./png.mjs";

/** The most bytes of a picture. */
const LIMIT = 400_000;

const path = (name) => new URL(`../../../docs/${name}.png`, import.meta.url);

/**
 * What a picture of these elements shows: the text of each that is visible and the style
 * that decides its look, but no sizes that follow from fonts.
 */
export const shown = (page, selector = "body, body *") => page.evaluate((selector) => {
  const inherited = ["color", "font-family", "font-size", "font-weight", "font-style", "line-height", "text-align"];
  const own = [
    "background-color", "padding", "gap", "opacity", "text-decoration-line",
    "border-top", "border-right", "border-bottom", "border-left", "border-radius", "outline", "box-shadow",
  ];
  const margins = ["margin-top", "margin-right", "margin-bottom", "margin-left"];
  // Scores, and colours made of them, may differ in the last digits between machines.
  const rounded = (value) => value.replace(/\d+\.\d+/g, (number) => String(Math.round(number * 100) / 100));
  const look = (element) => {
    const style = getComputedStyle(element);
    const above = element.parentElement && getComputedStyle(element.parentElement);
    // "auto" stays "auto" here; getComputedStyle gives a length, which depends on fonts.
    const map = element.computedStyleMap();
    return [
      ...inherited.map((name) => [name, style.getPropertyValue(name)]).filter(([name, value]) => value !== above?.getPropertyValue(name)),
      ...own.map((name) => [name, style.getPropertyValue(name)]),
      ...margins.map((name) => [name, String(map.get(name))]),
    ].filter(([, value]) => !/^(0px|none|normal|1|rgba\(0, 0, 0, 0\))$| none\b/.test(value)).map(([name, value]) => `${name}: ${rounded(value)}`).join("; ");
  };
  const text = (element) => [
    ...[...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data),
    element.matches("input, select") ? element.value : "",
  ].join(" ").replace(/\s+/g, " ").trim();
  const elements = [...document.querySelectorAll(selector)].filter((element) => element.getClientRects().length > 0 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true }));
  return [
    `${innerWidth} CSS pixels wide, ${devicePixelRatio} to a pixel`,
    ...elements.map((element) => `${element.localName} “${text(element)}” ${look(element)}`),
    ...[...CSS.highlights].map(([name, ranges]) => `${name} “${[...ranges].join(" … ")}”`).sort(),
  ];
}, selector);

/** Writes docs/NAME.png, which shows these lines. */
export async function write(name, png, lines) {
  const picture = shrink(png, lines.join("\n"));
  if (picture.length > LIMIT) throw new Error(`${name}.png has ${picture.length} bytes, more than ${LIMIT}`);
  await writeFile(path(name), picture);
  console.log(`docs/${name}.png: ${picture.length} bytes`);
}

/** Fails if docs/NAME.png does not show these lines. */
export async function same(name, lines) {
  const then = (commentOf(await readFile(path(name))) ?? "").split("\n");
  const at = Array.from({ length: Math.max(lines.length, then.length) }).findIndex((_, i) => lines[i] !== then[i]);
  if (at >= 0) assert.fail(`docs/${name}.png has aged: run "make screenshot"\nit shows: ${then[at]}\nnow:      ${lines[at]}`);
}
