// The tests of bodies.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./bodies.test.mjs");
