// The tests of linear.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./linear.test.mjs");
