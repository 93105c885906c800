// panel.test.mjs, its times held to their limits.
process.env.CERASUM_TIMED = "1";
await import("./panel.test.mjs");
