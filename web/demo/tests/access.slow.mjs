// axe-core in the combinations of colours and sizes that access.test.mjs leaves out.

import { axeTests, colorSchemes, sizes } from "./axe.mjs";

const all = colorSchemes.flatMap((scheme) => Object.keys(sizes).map((size) => [scheme, size]));
axeTests(all.filter((pair) => !["light wide", "dark narrow"].includes(pair.join(" "))));
