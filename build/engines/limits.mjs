// What cannot be tested in an engine, or what it cannot do, each with its reason. A
// scenario that `needs` one is listed as skipped there; docs/browsers.md shows this table.

export const limits = {
  paste: {
    what: "a paste event made by a test",
    engines: { firefox: "its ClipboardEvent takes no clipboardData; what is pasted into the form is tested" },
  },
  extension: {
    what: "the browser extension",
    engines: { webkit: "WebKitGTK has no extensions of the kind that Firefox and Chromium have" },
  },
  private: {
    what: "a private window with the extension",
    engines: { chromium: "it opens no extension pages in a private window; the panel is tested in a normal window that is marked as private", webkit: "it has no extensions" },
  },
};

/** Why an engine cannot run a scenario with these needs, or undefined. */
export const reason = (engine, needs = []) => needs.map((need) => limits[need].engines[engine]).find(Boolean);
