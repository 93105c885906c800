// The tests of layout.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./layout.test.mjs");
