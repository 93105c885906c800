// The tests of strip.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./strip.test.mjs");
