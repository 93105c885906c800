// The tests of closely.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./closely.test.mjs");
