// The tests of summarizer-browser.test.ts that make test leaves out.
export {};

process.env["CERASUM_SLOW"] = "1";
await import("./summarizer-browser.test.js");
