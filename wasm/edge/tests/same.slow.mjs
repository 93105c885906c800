// same.test.mjs with all of its cases.
process.env.CERASUM_SLOW = "1";
await import("./same.test.mjs");
