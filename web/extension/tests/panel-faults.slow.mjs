// The tests of panel-faults.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./panel-faults.test.mjs");
