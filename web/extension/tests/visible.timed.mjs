// What visible.test.mjs repeats, with all of its cases and its times held to their limits.
process.env.CERASUM_SLOW = process.env.CERASUM_TIMED = "1";
await import("./visible.test.mjs");
