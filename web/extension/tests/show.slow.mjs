// show.test.mjs with the sites that it leaves out.
process.env.CERASUM_SLOW = "1";
await import("./show.test.mjs");
