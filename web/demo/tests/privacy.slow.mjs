// The tests of privacy.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./privacy.test.mjs");
