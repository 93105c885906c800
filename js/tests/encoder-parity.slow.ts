// encoder-parity.test.ts with all of its cases.
export {};

process.env["CERASUM_SLOW"] = "1";
await import("./encoder-parity.test.js");
