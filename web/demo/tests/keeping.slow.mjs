// What keeping.test.mjs repeats, with the larger text.
process.env.CERASUM_SLOW = "1";
await import("./keeping.test.mjs");
