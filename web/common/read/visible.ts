/** Elements without readable content. */
export const SKIPPED = new Set([
  "SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD", "IFRAME", "OBJECT", "SVG", "svg", "MATH", "math",
  "BUTTON", "SELECT", "TEXTAREA", "INPUT", "CANVAS", "AUDIO", "VIDEO", "NAV",
]);
/** Elements that begin and end a paragraph. */
export const BLOCKS = new Set([
  "ADDRESS", "ARTICLE", "ASIDE", "BLOCKQUOTE", "BODY", "CAPTION", "DD", "DETAILS", "DIV", "DL", "DT", "FIELDSET",
  "FIGCAPTION", "FIGURE", "FOOTER", "FORM", "H1", "H2", "H3", "H4", "H5", "H6", "HEADER", "HR", "HTML", "LI", "MAIN",
  "OL", "P", "PRE", "SECTION", "SUMMARY", "TABLE", "TBODY", "TFOOT", "THEAD", "TR", "UL",
]);

/**
 * The visible text under a node: a blank line between blocks, a line end at
 * <br>, a tab between cells, other white space collapsed. Walks without
 * recursion, so that a deep tree cannot exhaust the stack.
 */
export function visibleText(root: Node): string {
  const parts: string[] = [];
  let line = "";
  const flush = () => {
    const trimmed = line.trim();
    if (trimmed) parts.push(trimmed);
    line = "";
  };
  let node: Node | null = root;
  while (node) {
    let descend = false;
    if (node.nodeType === Node.TEXT_NODE) {
      const value = node.nodeValue ?? "";
      if (node.parentElement?.closest("pre")) line += value;
      else {
        const collapsed = value.replace(/[ \t\n\f\r]+/g, " ");
        const open = line === "" || line.endsWith(" ") || line.endsWith("\n") || line.endsWith("\t");
        line += open && collapsed.startsWith(" ") ? collapsed.slice(1) : collapsed;
      }
    } else if (node.nodeType === Node.ELEMENT_NODE || node.nodeType === Node.DOCUMENT_NODE) {
      const name = node.nodeName;
      if (name === "BR") line = `${line.trimEnd()}\n`;
      else if (!SKIPPED.has(name) && !(node.nodeType === Node.ELEMENT_NODE && (node as Element).hasAttribute("hidden"))) {
        if (BLOCKS.has(name)) flush();
        descend = true;
      }
    }
    if (descend && node.firstChild) {
      node = node.firstChild;
      continue;
    }
    while (node && node !== root && !node.nextSibling) {
      node = node.parentNode;
      if (node && BLOCKS.has(node.nodeName)) flush();
    }
    if (!node || node === root) break;
    if (BLOCKS.has(node.nodeName)) flush();
    else if (node.nodeName === "TD" || node.nodeName === "TH") line += "\t";
    node = node.nextSibling;
  }
  flush();
  return parts.join("\n\n");
}
