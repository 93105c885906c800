// auto-parity.test.ts with all of its cases.
export {};

process.env["CERASUM_SLOW"] = "1";
await import("./auto-parity.test.js");
