// Removes from the environment whatever could make two releases of the same commit
// differ. Import it first: it applies to later imports and child processes.

/** Variables that change our build, Node or the compiler. */
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
// Created files and folders have the same modes for everybody.
process.umask(0o022);

/** The only time that may appear in build outputs. */
export function setDate(seconds) {
  process.env.SOURCE_DATE_EPOCH = String(seconds);
}
