// samples.test.mjs with the samples that it leaves out.
process.env.CERASUM_SLOW = "1";
await import("./samples.test.mjs");
