// Groups by topic and sentences that only one tab says: how far apart the
// shipped encoder puts what belongs together and what does not.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createCore, createEncoder } from "cerasum";
import { runnerImport } from "vite";
import { here } from "./lib.mjs";
import { different, pages, same } from "./topics.mjs";

let topics, unique, core, encoder, vectors;
before(async () => {
  topics = (await runnerImport(here("../src/work/topics.ts"))).module;
  unique = (await runnerImport(here("../src/work/unique.ts"))).module;
  core = createCore();
  encoder = createEncoder({ core });
  const all = await encoder.embed(pages.map(({ title, lead }) => [title, ...lead].join(" ")));
  topics.normalize(all);
  vectors = topics.rows(all);
});
after(() => {
  encoder?.destroy();
  core?.destroy();
});

test("pages of one topic are grouped, in four languages, and never with others", (t) => {
  const groupsAt = (threshold) => topics.cluster(vectors, threshold).map((members) => members.map((i) => pages[i].topic));
  const pure = (groups) => groups.every((group) => new Set(group).size === 1);
  const groups = groupsAt(topics.SAME_TOPIC);
  for (const group of groups) assert.equal(new Set(group).size, 1, `one group holds ${group}`);
  const all = new Set(pages.map(({ topic }) => topic)).size;
  assert.ok(groups.length === all, JSON.stringify(groups));
  let low = topics.SAME_TOPIC;
  while (pure(groupsAt(low - 0.01))) low -= 0.01;
  let high = topics.SAME_TOPIC;
  while (groupsAt(high + 0.01).length === groups.length) high += 0.01;
  t.diagnostic(`${all} topics make ${groups.length} groups at thresholds from ${low.toFixed(2)} to ${high.toFixed(2)}; below them different topics are joined; the threshold is ${topics.SAME_TOPIC}`);
  assert.ok(low <= topics.SAME_TOPIC - 0.03 && high >= topics.SAME_TOPIC + 0.03, `${low} to ${high}`);
});

test("clusters do not depend on a chain of likenesses", () => {
  // In a plane: a and b, b and c are near; a and c are not.
  const at = (degrees) => new Float32Array([Math.cos(degrees * Math.PI / 180), Math.sin(degrees * Math.PI / 180)]);
  assert.deepEqual(topics.cluster([at(0), at(45), at(92), at(180)], 0.7), [[0, 1], [2], [3]]);
  assert.deepEqual(topics.cluster([]), []);
  assert.deepEqual(topics.cluster([at(3)]), [[0]]);
});

test("a group is named by the words that its tabs share, or by its central tab", () => {
  const named = pages.map(({ title, lead }) => ({ title: `${title} | The Site`, lead: lead.join(" ") }));
  const names = Object.fromEntries(topics.cluster(vectors).filter((members) => members.length > 1)
    .map((members) => [pages[members[0]].topic, topics.nameOf(members, named, topics.medoidOf(members, vectors))]));
  assert.match(names.flood, /Harrow/);
  assert.match(names.phone, /Lumo/);
  assert.match(names.quake, /Toral/);
  for (const name of Object.values(names)) {
    assert.ok(name.length > 3 && name.length < 70, name);
    assert.doesNotMatch(name, /The Site/);
  }
});

test("what says the same and what does not are told apart", async (t) => {
  const cosines = async (pairs) => {
    const found = await encoder.embed(pairs.flat());
    topics.normalize(found);
    const rows = pairs.flatMap((pair) => pair.map((text, tab) => ({ tab, text })));
    return pairs.map((_, i) => unique.nearestElsewhere(2 * i, rows.slice(0, 2 * i + 2).map((row, j) => (j < 2 * i ? { ...row, tab: 0 } : row)), found));
  };
  const [near, far] = [await cosines(same), await cosines(different)];
  t.diagnostic(`the same: from ${Math.min(...near).toFixed(2)}; something else: up to ${Math.max(...far).toFixed(2)}; the threshold is ${unique.SAME_SAID}`);
  assert.ok(Math.min(...near) > unique.SAME_SAID + 0.01, `${near}`);
  assert.ok(Math.max(...far) < unique.SAME_SAID - 0.01, `${far}`);
});

test("what only one tab says is found among its weightiest sentences", async () => {
  const rows = [
    { tab: 0, text: "About 1,200 people left their homes on Tuesday." },
    { tab: 0, text: "The cannery at the pier will not open again." },
    { tab: 0, text: "Photo: archive." },
    { tab: 1, text: "Unas 1200 personas dejaron sus casas el martes." },
    { tab: 1, text: "Los ingenieros habían avisado de las grietas en primavera." },
  ];
  const found = await encoder.embed(rows.map(({ text }) => text));
  topics.normalize(found);
  const weights = [0.4, 0.3, 0.1, 0.1, 0.1];
  assert.deepEqual(unique.onlyRows(0, rows, weights, found, 5), [1], "a caption is none of it");
  assert.deepEqual(unique.onlyRows(1, rows, weights, found, 5), [4]);
  assert.deepEqual(unique.onlyRows(0, rows, weights, found, 0), []);
});
