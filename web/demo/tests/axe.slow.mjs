// axe.test.mjs in all colours and sizes.
process.env.CERASUM_SLOW = "1";
await import("./axe.test.mjs");
