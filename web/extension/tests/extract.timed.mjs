// What extract.test.mjs repeats, its times held to their limits.
process.env.CERASUM_TIMED = "1";
await import("./extract.test.mjs");
