// What faults-browser.test.ts repeats, its times held to their limits and with all of its cases.
export {};

process.env["CERASUM_TIMED"] = process.env["CERASUM_SLOW"] = "1";
await import("./faults-browser.test.js");
