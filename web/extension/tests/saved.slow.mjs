// The tests of saved.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./saved.test.mjs");
