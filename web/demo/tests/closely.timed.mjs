// The tests of closely.test.mjs that take times, which make test leaves out.
process.env.CERASUM_TIMED = "1";
await import("./closely.test.mjs");
