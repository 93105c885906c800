// The tests of join.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./join.test.mjs");
