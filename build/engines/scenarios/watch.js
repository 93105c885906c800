// Runs in the page before its own scripts, in every engine: records what must not
// happen, and what the page hands to the browser. Nothing is saved or printed.
(() => {
  const log = (window.log = []);
  addEventListener("error", ({ message, filename }) => log.push(`error: ${message} ${filename}`));
  addEventListener("unhandledrejection", ({ reason }) => log.push(`unhandled rejection: ${reason}`));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => log.push(`policy violation: ${violatedDirective} ${blockedURI}`));
  const { error } = console;
  console.error = (...args) => (log.push(`console: ${args.join(" ")}`), error.apply(console, args));

  window.copied = [];
  const { clipboard } = navigator;
  const writeText = clipboard.writeText.bind(clipboard);
  clipboard.writeText = (text) => writeText(text).then(() => void window.copied.push(text));

  window.printed = 0;
  window.print = () => (dispatchEvent(new Event("beforeprint")), window.printed++);

  window.saved = [];
  const blobs = new Map();
  const { createObjectURL } = URL;
  URL.createObjectURL = (blob) => {
    const url = createObjectURL.call(URL, blob);
    blobs.set(url, blob);
    return url;
  };
  const { click } = HTMLAnchorElement.prototype;
  HTMLAnchorElement.prototype.click = function () {
    const blob = blobs.get(this.href);
    if (!this.download || !blob) return click.call(this);
    void blob.text().then((text) => window.saved.push({ name: this.download, text }));
  };
})();
