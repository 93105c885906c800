// The package as npm hands it out: packed, and installed in a folder of its own.

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { encoderFiles } from "../dist/shipped.js";
import { root } from "./support.js";

/** What `npm pack --json` says of a tarball. */
export interface Tarball {
  filename: string;
  size: number;
  unpackedSize: number;
  files: { path: string; size: number; mode: number }[];
}

/** Runs a program to its end; what it printed is in the error where it fails. */
export async function run(command: string, args: string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd, encoding: "utf8", maxBuffer: 1 << 26 });
    return stdout;
  } catch (error) {
    const { stdout, stderr, message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${message}\n${stdout ?? ""}${stderr ?? ""}`);
  }
}

/** Packs a package into the folder. */
async function pack(from: string, folder: string): Promise<Tarball> {
  const said = JSON.parse(await run("npm", ["pack", "--json", "--pack-destination", folder], from)) as Tarball[] | Record<string, Tarball>;
  return Object.values(said)[0]!;
}

export interface Installed {
  /** Holds node_modules/cerasum, node_modules/cerasum-encoder and node_modules/.bin/cerasum-assets, and nothing else. */
  folder: string;
  tarball: Tarball;
  /** Of cerasum-encoder, if the build has an encoder. */
  encoder: Tarball | undefined;
  /** Copies js/examples/NAME, with the package and these packages of the repository, and gives the copy's path. */
  example(name: string, packages: Record<string, string>): string;
  remove(): void;
}

/** The packages, installed from their tarballs without a network. */
export async function install(): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), "cerasum-package-"));
  const tarball = await pack(join(root, "js"), folder);
  let encoder: Tarball | undefined;
  if (encoderFiles["encoder.onnx"]) {
    await run(process.execPath, ["build/encoder-package.mjs", join(folder, "encoder")], root);
    encoder = await pack(join(folder, "encoder"), folder);
    rmSync(join(folder, "encoder"), { recursive: true });
  }
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  await run("npm", ["install", "--offline", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", ...[tarball, encoder].flatMap((one) => one ? [join(folder, one.filename)] : [])], folder);
  return {
    folder,
    tarball,
    encoder,
    example(name, packages) {
      const copy = join(folder, name);
      rmSync(copy, { recursive: true, force: true }); // of an earlier call
      cpSync(join(root, "js/examples", name), copy, {
        recursive: true,
        filter: (path) => !/[\\/](node_modules|dist|public[\\/](assets|cerasum))$/.test(path),
      });
      cpSync(join(folder, "node_modules"), join(copy, "node_modules"), { recursive: true, verbatimSymlinks: true });
      for (const [name, program] of Object.entries(packages)) {
        const installed = join(root, "node_modules", name);
        symlinkSync(installed, join(copy, "node_modules", name));
        const { bin } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as { bin: string | Record<string, string> };
        const script = typeof bin === "string" ? bin : bin[program];
        if (script !== undefined) symlinkSync(join(installed, script), join(copy, "node_modules/.bin", program));
      }
      return copy;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
