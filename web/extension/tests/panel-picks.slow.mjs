// The tests of panel-picks.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./panel-picks.test.mjs");
