// The tests of language.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./language.test.mjs");
