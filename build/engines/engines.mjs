// The three engines. A scenario is written once, for the Page of page.mjs, and runs in all.

import * as chromium from "./chromium.mjs";
import * as firefox from "./firefox.mjs";
import * as webkit from "./webkit.mjs";

export const engines = {
  chromium: { title: "Chromium", launch: chromium.launch },
  firefox: { title: "Firefox", launch: firefox.launch },
  webkit: { title: "WebKitGTK", launch: webkit.launch },
};
