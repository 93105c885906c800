// The tests of pdf.test.mjs that make test leaves out.
process.env.CERASUM_SLOW = "1";
await import("./pdf.test.mjs");
