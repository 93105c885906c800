// Positions of sentences on the map: their vectors projected on the first two
// principal components.
//
// N sentences, D dimensions or terms.

/** N vectors, sparse or dense. */
export interface Vectors {
  readonly N: number;
  readonly D: number;
  /** Rows that are not 0; these have length 1. */
  readonly full: number;
  /** out[i] = row i · v, for all rows. v: D, out: N. */
  times(v: Float64Array, out: Float64Array): void;
  /** out += Σ w[i] · row i. w: N, out: D. */
  sum(w: Float64Array, out: Float64Array): void;
}

/** Rows of D numbers, scaled to length 1 so that only directions count. */
export function dense(rows: Float32Array, D: number): Vectors {
  const N = rows.length / D;
  const unit = Float32Array.from(rows);
  let full = 0;
  for (let i = 0; i < N; i++) {
    let length = 0;
    for (let k = i * D; k < (i + 1) * D; k++) length += unit[k]! ** 2;
    if (length > 0) full++;
    const scale = length > 0 ? 1 / Math.sqrt(length) : 0;
    for (let k = i * D; k < (i + 1) * D; k++) unit[k]! *= scale;
  }
  return {
    N,
    D,
    full,
    times(v, out) {
      for (let i = 0; i < N; i++) {
        let dot = 0;
        for (let k = 0, at = i * D; k < D; k++, at++) dot += unit[at]! * v[k]!;
        out[i] = dot;
      }
    },
    sum(w, out) {
      for (let i = 0; i < N; i++) {
        const weight = w[i]!;
        for (let k = 0, at = i * D; k < D; k++, at++) out[k]! += weight * unit[at]!;
      }
    },
  };
}

const TOKEN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+/gu;

/**
 * TF-IDF of the words, each row of length 1. Terms of a single sentence are
 * ignored: they say nothing about its distance to others.
 */
export function words(texts: readonly string[]): Vectors {
  const N = texts.length;
  const counted = texts.map((text) => {
    const counts = new Map<string, number>();
    for (const [token] of text.toLowerCase().normalize("NFC").matchAll(TOKEN)) counts.set(token, (counts.get(token) ?? 0) + 1);
    return counts;
  });
  const frequencies = new Map<string, number>();
  for (const counts of counted) for (const term of counts.keys()) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  const numbers = new Map<string, number>();
  for (const [term, n] of frequencies) if (n > 1) numbers.set(term, numbers.size);
  const rows = counted.map((counts) => {
    const terms: number[] = [];
    const weights: number[] = [];
    let length = 0;
    for (const [term, n] of counts) {
      const number = numbers.get(term);
      if (number === undefined) continue;
      const weight = (1 + Math.log(n)) * Math.log((1 + N) / frequencies.get(term)!);
      terms.push(number);
      weights.push(weight);
      length += weight ** 2;
    }
    return { terms, weights: weights.map((weight) => weight / (Math.sqrt(length) || 1)) };
  });
  return {
    N,
    D: numbers.size,
    full: rows.filter(({ terms }) => terms.length > 0).length,
    times(v, out) {
      rows.forEach(({ terms, weights }, i) => {
        let dot = 0;
        for (let k = 0; k < terms.length; k++) dot += weights[k]! * v[terms[k]!]!;
        out[i] = dot;
      });
    },
    sum(w, out) {
      rows.forEach(({ terms, weights }, i) => {
        for (let k = 0; k < terms.length; k++) out[terms[k]!]! += w[i]! * weights[k]!;
      });
    },
  };
}

export interface Projection {
  /** N coordinates each, their mean 0. */
  x: Float64Array;
  y: Float64Array;
  /** 0..1: the share of the variance that the map shows. */
  share: number;
}

/** Number of iterations. Components with nearly equal variance converge slowly, but then any of them will do. */
const STEPS = 60;

/** The first two principal components, by orthogonal iteration. The same vectors give the same map. */
export function project(vectors: Vectors): Projection {
  const { N, D } = vectors;
  const flat = { x: new Float64Array(N), y: new Float64Array(N), share: 0 };
  if (N < 2 || D === 0) return flat;
  const mean = new Float64Array(D);
  vectors.sum(new Float64Array(N).fill(1 / N), mean);
  const basis = [start(D, 1), start(D, 2)];
  const scores = [flat.x, flat.y];
  for (let step = 0; step <= STEPS; step++) {
    basis.forEach((v, k) => {
      for (const other of basis.slice(0, k)) away(v, other);
      const length = Math.sqrt(dot(v, v));
      for (let i = 0; i < D; i++) v[i] = length > 1e-12 ? v[i]! / length : 0;
    });
    basis.forEach((v, k) => {
      const out = scores[k]!;
      vectors.times(v, out);
      const middle = dot(mean, v);
      for (let i = 0; i < N; i++) out[i]! -= middle;
      if (step === STEPS) return;
      // v ← Σ score · (row − mean); the mean cancels out since the scores sum to 0.
      v.fill(0);
      vectors.sum(out, v);
    });
  }
  // The sign of a component is arbitrary: put the farthest sentence on the positive side.
  for (const out of scores) {
    let far = 0;
    for (const value of out) if (Math.abs(value) > Math.abs(far) + 1e-9) far = value;
    if (far < 0) for (let i = 0; i < N; i++) out[i] = -out[i]!;
  }
  // All components together: Σ |row − mean|².
  const total = vectors.full - N * dot(mean, mean);
  flat.share = total > 1e-9 ? Math.min(1, (dot(flat.x, flat.x) + dot(flat.y, flat.y)) / total) : 0;
  return flat;
}

/** Pseudo-random numbers, the same in every run. */
function start(D: number, seed: number): Float64Array {
  let state = seed * 0x9e3779b9;
  return Float64Array.from({ length: D }, () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    return state / 2 ** 31;
  });
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Removes the component of v in the direction of a unit vector. */
function away(v: Float64Array, unit: Float64Array): void {
  const along = dot(v, unit);
  for (let i = 0; i < v.length; i++) v[i]! -= along * unit[i]!;
}
