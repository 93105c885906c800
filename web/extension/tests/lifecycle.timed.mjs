// What lifecycle.test.mjs repeats, its times held to their limits and with all of its cases.
process.env.CERASUM_SLOW = "1";
process.env.CERASUM_TIMED = "1";
await import("./lifecycle.test.mjs");
