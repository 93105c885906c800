// The tests of panel.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./panel.test.mjs");
