// Takes out of the environment what could make a release differ from another one
// of the same commit. It does so when it is imported: whatever is imported after
// it, and whatever is run, finds it done.

/** Options of our own build, of Node and of the compiler that a release does not have. */
const without = /^(CERASUM_\w+|NODE_ENV|NODE_OPTIONS|GOOS|GOARCH)$/;

const fixed = {
  CGO_ENABLED: "0",
  GOFLAGS: "",
  GOWORK: "off",
  GOEXPERIMENT: "",
  GOFIPS140: "off",
  GOAMD64: "v1",
  GOARM64: "v8.0",
  LC_ALL: "C",
  TZ: "UTC",
};

for (const name of Object.keys(process.env)) if (without.test(name)) delete process.env[name];
Object.assign(process.env, fixed);
// Folders and files that are made have the same modes for everybody.
process.umask(0o022);

/** The only time that anything built may tell. */
export function setDate(seconds) {
  process.env.SOURCE_DATE_EPOCH = String(seconds);
}
