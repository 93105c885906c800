// The tests of bombs.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./bombs.test.mjs");
