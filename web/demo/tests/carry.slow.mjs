// The tests of carry.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./carry.test.mjs");
