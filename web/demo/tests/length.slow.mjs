// The tests of length.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./length.test.mjs");
