// The tests of output.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./output.test.mjs");
