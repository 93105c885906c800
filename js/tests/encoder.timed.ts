// What encoder.test.ts repeats, its times held to their limits.
export {};

process.env["CERASUM_TIMED"] = "1";
await import("./encoder.test.js");
