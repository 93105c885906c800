// The tests of hub-browser.test.ts that make test leaves out.
export {};

process.env["CERASUM_SLOW"] = "1";
await import("./hub-browser.test.js");
