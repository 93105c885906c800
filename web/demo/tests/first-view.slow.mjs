// The tests of first-view.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./first-view.test.mjs");
