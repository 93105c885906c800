/** Elements without readable content. */
export const SKIPPED = new Set([
  "SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD", "IFRAME", "OBJECT", "EMBED", "SVG", "svg", "MATH", "math",
  "BUTTON", "SELECT", "DATALIST", "TEXTAREA", "INPUT", "CANVAS", "AUDIO", "VIDEO", "MAP", "NAV",
]);
/** Elements that begin and end a block. */
export const BLOCKS = new Set([
  "ADDRESS", "ARTICLE", "ASIDE", "BLOCKQUOTE", "BODY", "CAPTION", "CENTER", "DD", "DETAILS", "DIALOG", "DIV", "DL", "DT", "FIELDSET",
  "FIGCAPTION", "FIGURE", "FOOTER", "FORM", "H1", "H2", "H3", "H4", "H5", "H6", "HEADER", "HR", "HTML", "LEGEND", "LI", "MAIN",
  "OL", "OPTION", "P", "PRE", "SECTION", "SUMMARY", "TABLE", "TBODY", "TD", "TFOOT", "TH", "THEAD", "TR", "UL",
]);
