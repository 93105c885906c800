// parity.test.ts with every order.
export {};

process.env["CERASUM_SLOW"] = "1";
await import("./parity.test.js");
