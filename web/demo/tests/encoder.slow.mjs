// The tests of encoder.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./encoder.test.mjs");
