// What panel-access.test.mjs repeats, in all colours and widths.
process.env.CERASUM_SLOW = "1";
await import("./panel-access.test.mjs");
