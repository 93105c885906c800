// What worker.test.mjs leaves out or shortens.
process.env.CERASUM_SLOW = "1";
await import("./worker.test.mjs");
