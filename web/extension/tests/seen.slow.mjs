// seen.test.mjs with all of its pages.
process.env.CERASUM_SLOW = "1";
await import("./seen.test.mjs");
