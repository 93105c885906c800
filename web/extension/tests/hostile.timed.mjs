// What hostile.test.mjs repeats, and its times held to their limits.
process.env.CERASUM_TIMED = "1";
await import("./hostile.test.mjs");
