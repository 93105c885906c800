// site.test.mjs with all allowed origins.
process.env.CERASUM_SLOW = "1";
await import("./site.test.mjs");
