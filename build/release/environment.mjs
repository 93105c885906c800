// Takes out of the environment what could make a release differ from another one
// of the same commit. Whatever is built afterwards inherits it.

/** Options of the build, of the page, and of the compilers, that a release does not have. */
const without = [
  "CERASUM_ENCODER", "CERASUM_WEIGHTS", "CERASUM_HUB", "CERASUM_ELSEWHERE", "CERASUM_EXTENSION_OUT", "NODE_ENV", "NODE_OPTIONS",
  "GOOS", "GOARCH", "GOWORK", "GOROOT_FINAL", "CGO_CFLAGS", "CGO_LDFLAGS",
];

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

export function settle(seconds) {
  for (const name of without) delete process.env[name];
  Object.assign(process.env, fixed, { SOURCE_DATE_EPOCH: String(seconds) });
  // Folders and files that are made have the same modes for everybody.
  process.umask(0o022);
}
