// panel-tabs.test.mjs with sixty tabs.
process.env.CERASUM_SLOW = "1";
await import("./panel-tabs.test.mjs");
