// What lifecycle.test.mjs repeats, with all of its cases.
process.env.CERASUM_SLOW = "1";
await import("./lifecycle.test.mjs");
