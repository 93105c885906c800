// What keeping.test.mjs repeats, with the larger text, or leaves out.
process.env.CERASUM_SLOW = "1";
await import("./keeping.test.mjs");
