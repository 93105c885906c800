// What encoder.test.ts repeats or leaves out, its times held to their limits.
export {};

process.env["CERASUM_TIMED"] = process.env["CERASUM_SLOW"] = "1";
await import("./encoder.test.js");
