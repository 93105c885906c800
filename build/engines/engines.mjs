// The three engines. A scenario is written once, for the Page of page.mjs, and runs in all.

import * as chromium from "./chromium.mjs";
import * as firefox from "./firefox.mjs";
import * as webkit from "./webkit.mjs";

/** `missing` says what a machine lacks for it, if anything. */
export const engines = {
  chromium: { title: "Chromium", missing: () => undefined, launch: chromium.launch },
  firefox: { title: "Firefox", missing: firefox.missing, launch: firefox.launch },
  webkit: { title: "WebKitGTK", missing: webkit.missing, launch: webkit.launch },
};
