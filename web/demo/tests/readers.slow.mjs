// The test of readers.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./readers.test.mjs");
