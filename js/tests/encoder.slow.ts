// What encoder.test.ts repeats or leaves out.
export {};

process.env["CERASUM_SLOW"] = "1";
await import("./encoder.test.js");
