// The tests of input.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./input.test.mjs");
