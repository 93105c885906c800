// Techniques that hide text, and as many that only look like them, as pages.

import { story } from "./pages.mjs";

const SHAPES = ["block", "inline"];
const SCHEMES = { light: { ink: "#111", ground: "#fff", near: "#fbfbfb" }, dark: { ink: "#eee", ground: "#121212", near: "#171717" } };
const picture = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/** Styles, which may begin with "box:" if an inline element has to be a box for them, or markup with the sentence's element at $. */
export const hidden = {
  opaque: () => "opacity:0",
  absent: () => "display:none",
  unseen: () => "visibility:hidden",
  tiny: () => "font-size:1px",
  same: ({ ground }) => `color:${ground}`,
  near: ({ near }) => `color:${near}`,
  transparent: () => "color:transparent",
  boxed: ({ ink }) => `color:${ink};background:${ink}`,
  leftward: () => "position:absolute;left:-9999px",
  upward: () => "position:absolute;top:-9999px",
  clipped: () => "position:absolute;clip:rect(0,0,0,0)",
  inset: () => "box:clip-path:inset(50%)",
  scaled: () => "box:transform:scale(0)",
  flat: () => "box:height:0;overflow:hidden",
  indented: () => "box:width:100%;text-indent:-9999px",
  masked: () => "mask:linear-gradient(transparent,transparent)",
  filtered: () => "filter:opacity(0)",
  blurred: () => "filter:blur(50px)",
  blurredTwice: () => `<div style="filter:blur(3px)"><div style="filter:blur(3px)">$</div></div>`,
  washed: ({ ink, ground }) => `color:${ink};background:${ground};filter:contrast(0)`,
  blackened: () => "color:#ccc;background:#333;filter:brightness(0)",
  whitened: () => `<div style="background:#eee;color:#777;filter:brightness(100)">$</div>`,
  covered: ({ ground }) => `<div style="position:relative;height:90px">$<div style="position:absolute;inset:0;background:${ground}"></div></div>`,
  stacked: ({ ground }) => `<div style="position:relative;height:90px"><div><div style="position:absolute;inset:0;z-index:1"><div style="background:${ground};height:100%"></div></div></div><div style="position:relative">$</div></div>`,
  curtained: ({ ground }) => `<style>.curtain{position:relative;height:90px}.curtain::after{content:"";position:absolute;inset:0;background:${ground}}</style><div class="curtain">$</div>`,
  celled: ({ ground }) => `<div style="display:grid"><div style="grid-area:1/1">$</div><div style="grid-area:1/1;background:${ground}"></div></div>`,
};

export const visible = {
  plain: () => "",
  small: () => "font-size:8px",
  grey: () => "color:#808080",
  half: () => "opacity:.5",
  inverse: ({ ink, ground }) => `color:${ground};background:${ink}`,
  shifted: () => "position:relative;left:20px",
  absolute: () => "position:absolute;left:20px;width:600px",
  shown: () => "position:absolute;clip:auto;clip-path:none",
  outlined: () => "box:clip-path:inset(0 round 4px)",
  shrunk: () => "box:transform:scale(.9)",
  boxed: () => "box:overflow:hidden",
  indented: () => "box:width:90%;text-indent:2em",
  lit: () => "mask:linear-gradient(#000,#0008)",
  filtered: () => "filter:opacity(60%) blur(0px)",
  blurred: () => "filter:blur(2px)",
  dimmed: () => "filter:brightness(.8) contrast(1.2)",
  inverted: ({ ink, ground }) => `color:${ground};background:${ink};filter:invert(1)`,
  turned: () => `<div style="color:#000;background:#fff;filter:invert(1) hue-rotate(180deg)">$</div>`,
  silhouetted: () => `<div style="background:#fff"><div style="color:#ddd;filter:brightness(0)">$</div></div>`,
  lettered: () => "background:linear-gradient(#d00,#36f);-webkit-background-clip:text;background-clip:text;color:transparent",
  opened: () => "<details open><summary>More of it</summary>$</details>",
  pictured: ({ ground }) => `<div style="background:url(${picture});color:${ground}">$</div>`,
  painted: ({ ground }) => `<div style="position:relative;height:90px"><img src="${picture}" style="position:absolute;inset:0;width:100%;height:100%" alt=""><div style="position:relative;color:${ground}">$</div></div>`,
  onTop: ({ ground }) => `<div style="position:relative;height:90px"><div style="position:absolute;inset:0;background:${ground}"></div><div style="position:relative">$</div></div>`,
  behind: ({ ground }) => `<div style="position:relative;height:90px;z-index:0"><div style="position:absolute;inset:0;background:${ground};z-index:-1"></div>$</div>`,
  passed: ({ ground }) => `<div style="position:relative;height:90px">$<div style="position:absolute;inset:0 0 60% 90%;background:${ground}"></div></div>`,
  slide: ({ ground }) => `<div style="display:flex"><div style="width:200px;overflow:hidden;position:relative;flex:none"><div style="position:absolute;left:100%;width:800px;height:90px;background:${ground}"></div></div><div>$</div></div>`,
};

export const says = (name) => `The ${name} crane of Nessel lifts ninety stones from the channel, the council said on Monday.`;

function element(shape, style, sentence) {
  const own = style.replace(/^box:/, "");
  if (shape === "block") return `<p style="${own}">${sentence}</p>`;
  return `<p>Before it. <span style="${style.startsWith("box:") ? "display:inline-block;" : ""}${own}">${sentence}</span></p>`;
}

/** By its place: the name of the sentence of each page, and its HTML. */
export function cases(techniques) {
  const made = new Map();
  for (const [name, how] of Object.entries(techniques)) {
    for (const shape of SHAPES) {
      for (const [scheme, colors] of Object.entries(SCHEMES)) {
        const own = `${name}-${shape}-${scheme}`;
        const style = how(colors);
        const it = style.startsWith("<") ? style.replace("$", element(shape, "", says(own))) : element(shape, style, says(own));
        made.set(own, `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Seen</title></head><body style="background:${colors.ground};color:${colors.ink}"><article><h1>Seen</h1>${story.en.map((text) => `<p>${text}</p>`).join("")}${it}<div style="height:200px"></div><p>${says("neighbouring")}</p></article></body></html>`);
      }
    }
  }
  return made;
}

/** All techniques as one page: each sentence is named by its technique and shape. */
export function together(techniques, scheme) {
  const colors = SCHEMES[scheme];
  const parts = Object.entries(techniques).flatMap(([name, how]) => SHAPES.map((shape) => {
    const style = how(colors);
    const sentence = says(`${name}-${shape}`);
    // Positions are those of a box of its own.
    return `<div style="position:relative;margin:20px 0">${style.startsWith("<") ? style.replace("$", element(shape, "", sentence)) : element(shape, style, sentence)}<div style="height:60px"></div></div>`;
  }));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Seen</title></head><body style="background:${colors.ground};color:${colors.ink}"><article><h1>Seen</h1>${story.en.map((text) => `<p>${text}</p>`).join("")}${parts.join("")}<p>${says("neighbouring")}</p></article></body></html>`;
}
