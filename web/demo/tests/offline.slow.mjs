// The tests of offline.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./offline.test.mjs");
