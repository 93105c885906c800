// What visible.test.mjs repeats, its times held to their limits.
process.env.CERASUM_TIMED = "1";
await import("./visible.test.mjs");
