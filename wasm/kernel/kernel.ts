// The arithmetic of core/linalg with SIMD, in AssemblyScript. It works in the
// memory of the Go program, which it imports: arguments are addresses there,
// and who calls has checked the lengths, which count numbers. Matrices are
// row-major. It keeps nothing and allocates nothing.
//
// Every function does what a loop in core/linalg (loops.go) does, to the last
// bit: sums are formed in the same order. A page with this kernel and one in a
// browser that lacks SIMD find the same scores. The one exception is gemm where
// the host has relaxed SIMD: it fuses products with sums, which rounds less
// often and takes three quarters of the time. The build compiles it both ways.
//
// "Interleaved" is a sum of four sums, of every fourth term each (what is left
// over goes to the first), which are added up in their order.

// @ts-ignore: decorator
@inline
const F32: usize = 4;
// @ts-ignore: decorator
@inline
const F64: usize = 8;

/** Two float32 as float64. */
// @ts-ignore: decorator
@inline
function wide(p: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(p));
}

/** The end of an interleaved sum of products: b is float32, or float64 where `far`. */
// @ts-ignore: decorator
@inline
function finish(s01: v128, s23: v128, a: usize, b: usize, left: usize, far: bool): f64 {
  let s = f64x2.extract_lane(s01, 0);
  for (let j: usize = 0; j < left; j++) {
    s += <f64>load<f32>(a + j * F32) * (far ? load<f64>(b + j * F64) : <f64>load<f32>(b + j * F32));
  }
  return s + f64x2.extract_lane(s01, 1) + f64x2.extract_lane(s23, 0) + f64x2.extract_lane(s23, 1);
}

/** dst[k] = a_k · b_k of the rows of two matrices, interleaved in float64. */
export function dots(dst: usize, a: usize, b: usize, rows: i32, cols: i32): void {
  const whole = <usize>(cols & ~3), left = <usize>(cols & 3);
  for (let k = 0; k < rows; k++) {
    let s01 = f64x2.splat(0), s23 = s01;
    for (const end = a + whole * F32; a < end; a += 4 * F32, b += 4 * F32) {
      s01 = f64x2.add(s01, f64x2.mul(wide(a), wide(b)));
      s23 = f64x2.add(s23, f64x2.mul(wide(a + 2 * F32), wide(b + 2 * F32)));
    }
    store<f64>(dst, finish(s01, s23, a, b, left, false));
    a += left * F32;
    b += left * F32;
    dst += F64;
  }
}

// @ts-ignore: decorator
@inline
function products(dst: usize, a: usize, x: usize, rows: i32, cols: i32, far: bool): void {
  const whole = <usize>(cols & ~3), left = <usize>(cols & 3), row = <usize>cols * F32;
  const size = far ? F64 : F32;
  let k = 0;
  for (; k + 4 <= rows; k += 4) {
    let a0 = a, a1 = a0 + row, a2 = a1 + row, a3 = a2 + row, y = x;
    let p0 = f64x2.splat(0), p1 = p0, p2 = p0, p3 = p0, q0 = p0, q1 = p0, q2 = p0, q3 = p0;
    for (const end = a + whole * F32; a0 < end; a0 += 4 * F32, a1 += 4 * F32, a2 += 4 * F32, a3 += 4 * F32, y += 4 * size) {
      const y01 = far ? v128.load(y) : wide(y), y23 = far ? v128.load(y + 2 * F64) : wide(y + 2 * F32);
      p0 = f64x2.add(p0, f64x2.mul(wide(a0), y01));
      p1 = f64x2.add(p1, f64x2.mul(wide(a1), y01));
      p2 = f64x2.add(p2, f64x2.mul(wide(a2), y01));
      p3 = f64x2.add(p3, f64x2.mul(wide(a3), y01));
      q0 = f64x2.add(q0, f64x2.mul(wide(a0 + 2 * F32), y23));
      q1 = f64x2.add(q1, f64x2.mul(wide(a1 + 2 * F32), y23));
      q2 = f64x2.add(q2, f64x2.mul(wide(a2 + 2 * F32), y23));
      q3 = f64x2.add(q3, f64x2.mul(wide(a3 + 2 * F32), y23));
    }
    store<f64>(dst, finish(p0, q0, a0, y, left, far));
    store<f64>(dst + F64, finish(p1, q1, a1, y, left, far));
    store<f64>(dst + 2 * F64, finish(p2, q2, a2, y, left, far));
    store<f64>(dst + 3 * F64, finish(p3, q3, a3, y, left, far));
    dst += 4 * F64;
    a += 4 * row;
  }
  for (; k < rows; k++) {
    let a0 = a, y = x;
    let p = f64x2.splat(0), q = p;
    for (const end = a + whole * F32; a0 < end; a0 += 4 * F32, y += 4 * size) {
      p = f64x2.add(p, f64x2.mul(wide(a0), far ? v128.load(y) : wide(y)));
      q = f64x2.add(q, f64x2.mul(wide(a0 + 2 * F32), far ? v128.load(y + 2 * F64) : wide(y + 2 * F32)));
    }
    store<f64>(dst, finish(p, q, a0, y, left, far));
    dst += F64;
    a += row;
  }
}

/** dst[k] = a_k · x, x being float32, interleaved in float64. */
export function gemv(dst: usize, a: usize, x: usize, rows: i32, cols: i32): void {
  products(dst, a, x, rows, cols, false);
}

/** dst[k] = a_k · x, x being float64, interleaved in float64. */
export function gemvWide(dst: usize, a: usize, x: usize, rows: i32, cols: i32): void {
  products(dst, a, x, rows, cols, true);
}

// @ts-ignore: decorator
@inline
function addProduct(s: v128, x: v128, y: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? f32x4.relaxed_madd(x, y, s) : f32x4.add(s, f32x4.mul(x, y));
}

/**
 * C = A Bᵀ in float32. A is m×n, its rows lda apart; B is 8×n; C is m×8. Sums
 * go from the first product to the last. The panel, 8n numbers, is scratch: B by
 * columns, so that one instruction serves the same column of four rows. Six rows
 * of A are as many as 16 registers hold.
 */
export function gemm(c: usize, a: usize, b: usize, panel: usize, m: i32, n: i32, lda: i32): void {
  const row = <usize>n * F32, step = <usize>lda * F32;
  for (let r: usize = 0; r < 8; r++) {
    let to = panel + r * F32;
    for (const end = b + row; b < end; b += F32, to += 8 * F32) store<f32>(to, load<f32>(b));
  }
  const end = panel + 8 * row;
  let i = 0;
  for (; i + 6 <= m; i += 6) {
    let a0 = a, a1 = a0 + step, a2 = a1 + step, a3 = a2 + step, a4 = a3 + step, a5 = a4 + step;
    let p0 = f32x4.splat(0), p1 = p0, p2 = p0, p3 = p0, p4 = p0, p5 = p0;
    let q0 = p0, q1 = p0, q2 = p0, q3 = p0, q4 = p0, q5 = p0;
    for (let at = panel; at < end; at += 8 * F32, a0 += F32, a1 += F32, a2 += F32, a3 += F32, a4 += F32, a5 += F32) {
      const x = v128.load(at), y = v128.load(at + 4 * F32);
      let v = v128.load32_splat(a0);
      p0 = addProduct(p0, v, x);
      q0 = addProduct(q0, v, y);
      v = v128.load32_splat(a1);
      p1 = addProduct(p1, v, x);
      q1 = addProduct(q1, v, y);
      v = v128.load32_splat(a2);
      p2 = addProduct(p2, v, x);
      q2 = addProduct(q2, v, y);
      v = v128.load32_splat(a3);
      p3 = addProduct(p3, v, x);
      q3 = addProduct(q3, v, y);
      v = v128.load32_splat(a4);
      p4 = addProduct(p4, v, x);
      q4 = addProduct(q4, v, y);
      v = v128.load32_splat(a5);
      p5 = addProduct(p5, v, x);
      q5 = addProduct(q5, v, y);
    }
    v128.store(c, p0);
    v128.store(c + 4 * F32, q0);
    v128.store(c + 8 * F32, p1);
    v128.store(c + 12 * F32, q1);
    v128.store(c + 16 * F32, p2);
    v128.store(c + 20 * F32, q2);
    v128.store(c + 24 * F32, p3);
    v128.store(c + 28 * F32, q3);
    v128.store(c + 32 * F32, p4);
    v128.store(c + 36 * F32, q4);
    v128.store(c + 40 * F32, p5);
    v128.store(c + 44 * F32, q5);
    c += 48 * F32;
    a += 6 * step;
  }
  for (; i < m; i++) {
    let a0 = a, p = f32x4.splat(0), q = p;
    for (let at = panel; at < end; at += 8 * F32, a0 += F32) {
      const v = v128.load32_splat(a0);
      p = addProduct(p, v, v128.load(at));
      q = addProduct(q, v, v128.load(at + 4 * F32));
    }
    v128.store(c, p);
    v128.store(c + 4 * F32, q);
    c += 8 * F32;
    a += step;
  }
}

// @ts-ignore: decorator
@inline
function tanh(x: v128): v128 {
  const flat = 7.90531110763549805;
  // In this order what is no number stays so.
  x = f64x2.pmin(x, f64x2.splat(flat));
  x = f64x2.pmax(x, f64x2.splat(-flat));
  const s = f64x2.mul(x, x);
  let p = f64x2.splat(-2.76076847742355e-16);
  p = f64x2.add(f64x2.mul(p, s), f64x2.splat(2.00018790482477e-13));
  p = f64x2.add(f64x2.mul(p, s), f64x2.splat(-8.60467152213735e-11));
  p = f64x2.add(f64x2.mul(p, s), f64x2.splat(5.12229709037114e-08));
  p = f64x2.add(f64x2.mul(p, s), f64x2.splat(1.48572235717979e-05));
  p = f64x2.add(f64x2.mul(p, s), f64x2.splat(6.37261928875436e-04));
  p = f64x2.add(f64x2.mul(p, s), f64x2.splat(4.89352455891786e-03));
  let q = f64x2.splat(1.19825839466702e-06);
  q = f64x2.add(f64x2.mul(q, s), f64x2.splat(1.18534705686654e-04));
  q = f64x2.add(f64x2.mul(q, s), f64x2.splat(2.26843463243900e-03));
  q = f64x2.add(f64x2.mul(q, s), f64x2.splat(4.89352518554385e-03));
  return f64x2.div(f64x2.mul(x, p), q);
}

/** dst[k] = Σ o_i tanh(base_i + c_ik), c being m×8, in float64 from the first row to the last. */
export function tanhSum(dst: usize, c: usize, base: usize, o: usize, m: i32): void {
  let s0 = f64x2.splat(0), s1 = s0, s2 = s0, s3 = s0;
  for (let i = 0; i < m; i++, c += 8 * F32, base += F64, o += F32) {
    const b = v128.load64_splat(base), w = f64x2.splat(<f64>load<f32>(o));
    s0 = f64x2.add(s0, f64x2.mul(w, tanh(f64x2.add(b, wide(c)))));
    s1 = f64x2.add(s1, f64x2.mul(w, tanh(f64x2.add(b, wide(c + 2 * F32)))));
    s2 = f64x2.add(s2, f64x2.mul(w, tanh(f64x2.add(b, wide(c + 4 * F32)))));
    s3 = f64x2.add(s3, f64x2.mul(w, tanh(f64x2.add(b, wide(c + 6 * F32)))));
  }
  v128.store(dst, s0);
  v128.store(dst + 2 * F64, s1);
  v128.store(dst + 4 * F64, s2);
  v128.store(dst + 6 * F64, s3);
}

/** dst += Σ w_k x_k over the rows of X, float32, in float64 from the first row to the last. */
export function weightedSum(dst: usize, w: usize, x: usize, rows: i32, cols: i32): void {
  const row = <usize>cols * F32, end = dst + <usize>cols * F64, whole = dst + <usize>(cols & ~1) * F64;
  let k = 0;
  for (; k + 4 <= rows; k += 4, w += 4 * F64, x += 4 * row) {
    const w0 = v128.load64_splat(w), w1 = v128.load64_splat(w + F64), w2 = v128.load64_splat(w + 2 * F64), w3 = v128.load64_splat(w + 3 * F64);
    let at = dst, x0 = x, x1 = x0 + row, x2 = x1 + row, x3 = x2 + row;
    for (; at < whole; at += 2 * F64, x0 += 2 * F32, x1 += 2 * F32, x2 += 2 * F32, x3 += 2 * F32) {
      let s = f64x2.add(v128.load(at), f64x2.mul(w0, wide(x0)));
      s = f64x2.add(s, f64x2.mul(w1, wide(x1)));
      s = f64x2.add(s, f64x2.mul(w2, wide(x2)));
      v128.store(at, f64x2.add(s, f64x2.mul(w3, wide(x3))));
    }
    if (at < end) {
      let s = load<f64>(at) + load<f64>(w) * <f64>load<f32>(x0);
      s += load<f64>(w + F64) * <f64>load<f32>(x1);
      s += load<f64>(w + 2 * F64) * <f64>load<f32>(x2);
      store<f64>(at, s + load<f64>(w + 3 * F64) * <f64>load<f32>(x3));
    }
  }
  for (; k < rows; k++, w += F64) {
    for (let at = dst; at < end; at += F64, x += F32) store<f64>(at, load<f64>(at) + load<f64>(w) * <f64>load<f32>(x));
  }
}

/** eˣ of x ≤ 0, as Go's math.Exp does it (FreeBSD's e_exp.c). */
function exp(x: f64): f64 {
  if (x != x || x < -745.13321910194110842) return x != x ? x : 0;
  if (x > -1.0 / 268435456.0) return 1 + x;
  const k = <i32>(1.44269504088896338700 * x - 0.5);
  const hi = x - <f64>k * 6.93147180369123816490e-01, lo = <f64>k * 1.90821492927058770002e-10;
  const r = hi - lo, t = r * r;
  const c = r - t * (1.66666666666666657415e-01 + t * (-2.77777777770155933842e-03 + t * (6.61375632143793436117e-05 + t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))));
  const y = 1 - ((lo - (r * c) / (2 - c)) - hi);
  // 2ᵏ in two factors: below 2⁻¹⁰²² the bits of one do not reach.
  return k < -960 ? y * power(k + 100) * power(-100) : y * power(k);
}

// @ts-ignore: decorator
@inline
function power(k: i32): f64 {
  return reinterpret<f64>(<u64>(k + 1023) << 52);
}

/** Turns n scores, float64, into their softmax. */
export function softmax(scores: usize, n: i32): void {
  const end = scores + <usize>n * F64;
  let top: f64 = -Infinity, total: f64 = 0;
  for (let at = scores; at < end; at += F64) top = max<f64>(top, load<f64>(at));
  for (let at = scores; at < end; at += F64) {
    const z = exp(load<f64>(at) - top);
    store<f64>(at, z);
    total += z;
  }
  for (let at = scores; at < end; at += F64) store<f64>(at, load<f64>(at) / total);
}

/**
 * Layer normalisation of every row of X, float32, in place: x_kj becomes
 * (v − mean) / √(variance + ε) · gain_j + bias_j of v = scale_k · x_kj. Mean and
 * variance are interleaved, in float64.
 */
export function normalize(x: usize, scale: usize, gain: usize, bias: usize, epsilon: f64, rows: i32, cols: i32): void {
  const row = <usize>cols * F32, whole = <usize>(cols & ~3) * F32;
  for (let k = 0; k < rows; k++, x += row, scale += F64) {
    const f = load<f64>(scale), ff = f64x2.splat(f);
    let s01 = f64x2.splat(0), s23 = s01;
    for (let at: usize = 0; at < whole; at += 4 * F32) {
      s01 = f64x2.add(s01, f64x2.mul(ff, wide(x + at)));
      s23 = f64x2.add(s23, f64x2.mul(ff, wide(x + at + 2 * F32)));
    }
    let s = f64x2.extract_lane(s01, 0);
    for (let at = whole; at < row; at += F32) s += f * <f64>load<f32>(x + at);
    const mean = (s + f64x2.extract_lane(s01, 1) + f64x2.extract_lane(s23, 0) + f64x2.extract_lane(s23, 1)) / <f64>cols;

    const means = f64x2.splat(mean);
    s01 = f64x2.splat(0);
    s23 = s01;
    for (let at: usize = 0; at < whole; at += 4 * F32) {
      const u = f64x2.sub(f64x2.mul(ff, wide(x + at)), means), v = f64x2.sub(f64x2.mul(ff, wide(x + at + 2 * F32)), means);
      s01 = f64x2.add(s01, f64x2.mul(u, u));
      s23 = f64x2.add(s23, f64x2.mul(v, v));
    }
    s = f64x2.extract_lane(s01, 0);
    for (let at = whole; at < row; at += F32) {
      const v = f * <f64>load<f32>(x + at) - mean;
      s += v * v;
    }
    s += f64x2.extract_lane(s01, 1);
    s += f64x2.extract_lane(s23, 0);
    s += f64x2.extract_lane(s23, 1);
    const g = 1 / sqrt<f64>(s / <f64>cols + epsilon), gg = f64x2.splat(g);

    let at: usize = 0;
    for (; at < whole; at += 4 * F32) {
      const u = f64x2.mul(f64x2.sub(f64x2.mul(ff, wide(x + at)), means), gg);
      const v = f64x2.mul(f64x2.sub(f64x2.mul(ff, wide(x + at + 2 * F32)), means), gg);
      const low = f32x4.demote_f64x2_zero(f64x2.add(f64x2.mul(u, wide(gain + at)), wide(bias + at)));
      const high = f32x4.demote_f64x2_zero(f64x2.add(f64x2.mul(v, wide(gain + at + 2 * F32)), wide(bias + at + 2 * F32)));
      v128.store(x + at, v128.shuffle<f32>(low, high, 0, 1, 4, 5));
    }
    for (; at < row; at += F32) {
      const v = (f * <f64>load<f32>(x + at) - mean) * g;
      store<f32>(x + at, <f32>(v * <f64>load<f32>(gain + at) + <f64>load<f32>(bias + at)));
    }
  }
}
