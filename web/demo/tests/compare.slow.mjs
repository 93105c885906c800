// The tests of compare.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./compare.test.mjs");
