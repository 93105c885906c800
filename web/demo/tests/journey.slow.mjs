// The tests of journey.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./journey.test.mjs");
