// What a release is made from and for, without making one.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { spdx } from "../../modules.mjs";
import { chosen, platformOf, platforms } from "../programs.mjs";
import { source } from "../source.mjs";

const commit = "0123456789abcdef0123456789abcdef01234567";
let folder;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "cerasum-sources-"));
  mkdirSync(join(folder, "core"));
  mkdirSync(join(folder, "build/release"), { recursive: true });
});
after(() => rmSync(folder, { recursive: true }));

const sources = (version, told) => {
  writeFileSync(join(folder, "core/VERSION"), `${version}\n`);
  writeFileSync(join(folder, "build/release/commit.txt"), `${told}\n`);
  return folder;
};

describe("the source", () => {
  it("tells its commit in an archive that git made", () => {
    assert.deepEqual(source(sources("1.2.3", `${commit} 1700000000`), {}), { version: "1.2.3", commit, seconds: 1700000000 });
  });

  it("tells it by the environment, where nothing else does", () => {
    const env = { COMMIT: commit, SOURCE_DATE_EPOCH: "5" };
    assert.deepEqual(source(sources("1.2.3-rc.1", "$Format:%H %ct$"), env), { version: "1.2.3-rc.1", commit, seconds: 5 });
    assert.equal(source(sources("1.2.3", `${commit} 7`), env).seconds, 7);
  });

  it("tells it in a repository, and that files differ from it", () => {
    sources("1.2.3", "$Format:%H %ct$");
    const git = (...args) => execFileSync("git", args, { cwd: folder, encoding: "utf8", env: { ...process.env, GIT_COMMITTER_DATE: "@77 +0200" } }).trim();
    git("init", "-q");
    git("add", ".");
    git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "one");
    const head = git("rev-parse", "HEAD");
    assert.deepEqual(source(folder, {}), { version: "1.2.3", commit: head, seconds: 77 });
    writeFileSync(join(folder, "new.txt"), "new");
    assert.equal(source(folder, {}).commit, `${head}-modified`);
    rmSync(join(folder, ".git"), { recursive: true });
  });

  it("is refused where it does not", () => {
    assert.throws(() => source(sources("1.2.3", "$Format:%H %ct$"), {}), /unknown commit/);
    assert.throws(() => source(sources("1.2.3", `${commit}`), {}), /want seconds since 1970/);
    assert.throws(() => source(sources("1.2.3", "main 5"), {}), /want a commit of 40 digits/);
    assert.throws(() => source(sources("1.2.3", "$Format:%H %ct$"), { COMMIT: commit }), /want seconds since 1970/);
    assert.throws(() => source(sources("one", `${commit} 5`), {}), /invalid version/);
  });
});

describe("platforms", () => {
  it("are six, and those that are named", () => {
    assert.equal(platforms.length, 6);
    assert.equal(chosen("").length, 6);
    assert.deepEqual(chosen(" darwin/arm64  linux/amd64 ").map(({ name }) => name), ["linux/amd64", "darwin/arm64"]);
    assert.throws(() => chosen("linux/amd64 plan9/386"), /unknown platform plan9\/386: want one of linux\/amd64, /);
  });

  it("are told by a program's first bytes", () => {
    assert.match(platformOf(Buffer.from("#!/bin/sh\n".padEnd(64))), /no platform/);
    const elf = Buffer.alloc(64);
    elf.write("\x7fELF", "latin1");
    elf.writeUInt16LE(183, 18);
    assert.equal(platformOf(elf), "linux/arm64");
    elf.writeUInt16LE(3, 18);
    assert.equal(platformOf(elf), "linux/processor 3");
  });
});

describe("licences", () => {
  const licence = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it("are told by their words", () => {
    const bsd = "Redistribution and use in source and binary\nforms, with or without modification";
    assert.deepEqual(spdx([licence("LICENSE", bsd)]), ["BSD-2-Clause"]);
    assert.deepEqual(spdx([licence("LICENSE", `${bsd} … may not be\n used to endorse`)]), ["BSD-3-Clause"]);
    assert.deepEqual(spdx([licence("LICENSE", "Apache License\n  Version 2.0"), licence("NOTICE", "made by us")]), ["Apache-2.0"]);
  });

  it("that nobody has read are refused", () => {
    assert.throws(() => spdx([licence("LICENSE", "GNU AFFERO GENERAL PUBLIC LICENSE")]), /read it/);
  });
});
