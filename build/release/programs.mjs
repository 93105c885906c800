// Builds the command line program for all platforms.

import { readFileSync } from "node:fs";
import { go } from "../modules.mjs";

const processors = { amd64: { elf: 62, mach: 0x01000007, pe: 0x8664 }, arm64: { elf: 183, mach: 0x0100000c, pe: 0xaa64 } };

/** Each with its name, Go's name for it, and the format of its archive. */
export const platforms = ["linux", "darwin", "windows"].flatMap((GOOS) =>
  Object.keys(processors).map((GOARCH) => ({
    name: `${GOOS}/${GOARCH}`,
    env: { GOOS, GOARCH, CGO_ENABLED: "0" },
    program: GOOS === "windows" ? "cerasum.exe" : "cerasum",
    archive: GOOS === "windows" ? "zip" : "tar.gz",
  })));

/** The platforms in a space-separated list; all if it is empty. */
export function chosen(names = "") {
  const wanted = names.split(/\s+/).filter(Boolean);
  for (const name of wanted) {
    if (!platforms.some((platform) => platform.name === name)) throw new Error(`unknown platform ${name}: want one of ${platforms.map(({ name }) => name).join(", ")}`);
  }
  return wanted.length === 0 ? platforms : platforms.filter(({ name }) => wanted.includes(name));
}

/** Builds the program of `commit` as `file`. */
export function build(root, platform, commit, file) {
  go(root, ["build", "-trimpath", "-buildvcs=false", "-ldflags", `-s -w -buildid= -X main.commit=${commit}`, "-o", file, "./cmd/cerasum"], platform.env);
  const is = platformOf(readFileSync(file));
  if (is !== platform.name) throw new Error(`${file}: want a program for ${platform.name}, got one for ${is}`);
}

/** The modules listed in a program's build information: path to version. */
export function linked(root, file) {
  const { Deps = [], Settings = [] } = JSON.parse(go(root, ["version", "-m", "-json", file]));
  if (Settings.find(({ Key }) => Key === "CGO_ENABLED")?.Value !== "0") throw new Error(`${file} was not built with CGO_ENABLED=0`);
  return new Map(Deps.map(({ Path, Version }) => [Path, Version]));
}

/** The platform of an executable file by its header (ELF, Mach-O or PE). */
export function platformOf(bytes) {
  const processor = (kind, number) => Object.keys(processors).find((name) => processors[name][kind] === number) ?? `processor ${number}`;
  if (bytes.readUInt32BE(0) === 0x7f454c46) return `linux/${processor("elf", bytes.readUInt16LE(18))}`;
  if (bytes.readUInt32LE(0) === 0xfeedfacf) return `darwin/${processor("mach", bytes.readUInt32LE(4))}`;
  if (bytes.toString("latin1", 0, 2) === "MZ") {
    const header = bytes.readUInt32LE(0x3c);
    if (bytes.toString("latin1", header, header + 4) === "PE\0\0") return `windows/${processor("pe", bytes.readUInt16LE(header + 4))}`;
  }
  return "no platform that is known";
}
