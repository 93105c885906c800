// The manifest of both builds, from one source.

export type Browser = "chromium" | "firefox";

/** The policy of the extension's pages: only its own files, no requests to other origins. */
export const policy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "style-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types cerasum",
].join("; ");

const icons = { 16: "icons/16.png", 32: "icons/32.png", 48: "icons/48.png", 128: "icons/128.png" };

/** `version` is as in core/VERSION; browsers accept only its numbers, and Chromium also shows the full name. */
export function manifest(browser: Browser, version: string): Record<string, unknown> {
  const numbers = version.replace(/[-+].*/, "");
  const common = {
    manifest_version: 3,
    name: "__MSG_name__",
    description: "__MSG_description__",
    version: numbers,
    default_locale: "en",
    homepage_url: "https://github.com/cerasum/cerasum",
    icons,
    action: { default_title: "__MSG_action__", default_icon: { 16: icons[16], 32: icons[32] } },
    commands: {
      _execute_action: { suggested_key: { default: "Alt+Shift+S" } },
      "summarize-page": { description: "__MSG_page__" },
      "summarize-selection": { description: "__MSG_selection__" },
    },
    content_security_policy: { extension_pages: policy },
    optional_permissions: ["tabs"],
    optional_host_permissions: ["http://*/*", "https://*/*"],
  };
  if (browser === "chromium") {
    return {
      ...common,
      ...(numbers === version ? {} : { version_name: version }),
      minimum_chrome_version: "123",
      permissions: ["activeTab", "contextMenus", "favicon", "scripting", "sidePanel", "storage"],
      background: { service_worker: "background.js" },
      side_panel: { default_path: "panel.html" },
      // The encoder then runs on several threads. Firefox has no such keys: there it has one.
      cross_origin_embedder_policy: { value: "require-corp" },
      cross_origin_opener_policy: { value: "same-origin" },
    };
  }
  return {
    ...common,
    permissions: ["activeTab", "contextMenus", "scripting", "storage"],
    background: { scripts: ["background.js"] },
    sidebar_action: { default_panel: "panel.html", default_title: "__MSG_name__", default_icon: { 16: icons[16], 32: icons[32] }, open_at_install: false },
    browser_specific_settings: {
      gecko: { id: "cerasum@cerasum.github.io", strict_min_version: "140.0", data_collection_permissions: { required: ["none"] } },
    },
  };
}
