// What hostile.test.mjs repeats or leaves out.
process.env.CERASUM_SLOW = "1";
await import("./hostile.test.mjs");
