// The arithmetic of core/linalg with SIMD, in AssemblyScript. It works in the
// memory of the Go program, which it imports: arguments are addresses there,
// and who calls has checked the lengths, which count numbers. Matrices are
// row-major. It keeps nothing and allocates nothing.
//
// Every function does what a loop in core/linalg (loops.go) does, to the last
// bit: sums are formed in the same order. A page with this kernel and one in a
// browser that lacks SIMD find the same scores. The exceptions are gemm and tanh
// where the host has relaxed SIMD: they fuse products with sums, which rounds
// less often and takes three quarters of the time. The build compiles both ways.
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
 * Writes x_r + y_r, n numbers, into column r of P, n×8, for every row of X, at
 * most eight; y_r is the row of the table Y that place_r, int32, names.
 */
export function addColumns(p: usize, x: usize, y: usize, place: usize, rows: i32, n: i32): void {
  const row = <usize>n * F32, whole = <usize>(n & ~3) * F32;
  let r = 0;
  for (; r + 4 <= rows; r += 4, p += 4 * F32, x += 4 * row, place += 16) {
    const y0 = y + <usize>load<i32>(place) * row, y1 = y + <usize>load<i32>(place + 4) * row;
    const y2 = y + <usize>load<i32>(place + 8) * row, y3 = y + <usize>load<i32>(place + 12) * row;
    const x1 = x + row, x2 = x1 + row, x3 = x2 + row;
    let to = p;
    for (let at: usize = 0; at < whole; at += 4 * F32, to += 32 * F32) {
      const a = f32x4.add(v128.load(x + at), v128.load(y0 + at)), b = f32x4.add(v128.load(x1 + at), v128.load(y1 + at));
      const c = f32x4.add(v128.load(x2 + at), v128.load(y2 + at)), d = f32x4.add(v128.load(x3 + at), v128.load(y3 + at));
      const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5), cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
      const ba = v128.shuffle<f32>(a, b, 2, 6, 3, 7), dc = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
      v128.store(to, v128.shuffle<f32>(ab, cd, 0, 1, 4, 5));
      v128.store(to + 8 * F32, v128.shuffle<f32>(ab, cd, 2, 3, 6, 7));
      v128.store(to + 16 * F32, v128.shuffle<f32>(ba, dc, 0, 1, 4, 5));
      v128.store(to + 24 * F32, v128.shuffle<f32>(ba, dc, 2, 3, 6, 7));
    }
    addColumn(to, x + whole, y0 + whole, row - whole);
    addColumn(to + F32, x1 + whole, y1 + whole, row - whole);
    addColumn(to + 2 * F32, x2 + whole, y2 + whole, row - whole);
    addColumn(to + 3 * F32, x3 + whole, y3 + whole, row - whole);
  }
  for (; r < rows; r++, p += F32, x += row, place += 4) addColumn(p, x, y + <usize>load<i32>(place) * row, row);
}

function addColumn(p: usize, x: usize, y: usize, length: usize): void {
  for (const end = x + length; x < end; p += 8 * F32, x += F32, y += F32) store<f32>(p, load<f32>(x) + load<f32>(y));
}

/**
 * C = A P in float32. A is m×n, its rows lda apart; P is n×8; C is m×8. Sums go
 * from the first product to the last. Six rows at once are as many as 16
 * registers hold.
 */
export function gemm(c: usize, a: usize, panel: usize, m: i32, n: i32, lda: i32): void {
  const step = <usize>lda * F32, end = panel + <usize>n * 8 * F32;
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
  // One or two at once: sums that wait for none but themselves.
  for (; i < m; i += 2) {
    const two = i + 2 <= m;
    let a0 = a, a1 = two ? a + step : a;
    let p0 = f32x4.splat(0), p1 = p0, q0 = p0, q1 = p0;
    for (let at = panel; at < end; at += 8 * F32, a0 += F32, a1 += F32) {
      const x = v128.load(at), y = v128.load(at + 4 * F32);
      let v = v128.load32_splat(a0);
      p0 = addProduct(p0, v, x);
      q0 = addProduct(q0, v, y);
      v = v128.load32_splat(a1);
      p1 = addProduct(p1, v, x);
      q1 = addProduct(q1, v, y);
    }
    v128.store(c, p0);
    v128.store(c + 4 * F32, q0);
    if (two) {
      v128.store(c + 8 * F32, p1);
      v128.store(c + 12 * F32, q1);
    }
    c += 16 * F32;
    a += 2 * step;
  }
}

// @ts-ignore: decorator
@inline
function tanh(x: v128): v128 {
  const flat: f32 = 7.90531110763549805;
  // In this order what is no number stays so.
  x = f32x4.pmin(x, f32x4.splat(flat));
  x = f32x4.pmax(x, f32x4.splat(-flat));
  const s = f32x4.mul(x, x);
  let p = f32x4.splat(-2.76076847742355e-16);
  p = addProduct(f32x4.splat(2.00018790482477e-13), p, s);
  p = addProduct(f32x4.splat(-8.60467152213735e-11), p, s);
  p = addProduct(f32x4.splat(5.12229709037114e-08), p, s);
  p = addProduct(f32x4.splat(1.48572235717979e-05), p, s);
  p = addProduct(f32x4.splat(6.37261928875436e-04), p, s);
  p = addProduct(f32x4.splat(4.89352455891786e-03), p, s);
  let q = f32x4.splat(1.19825839466702e-06);
  q = addProduct(f32x4.splat(1.18534705686654e-04), q, s);
  q = addProduct(f32x4.splat(2.26843463243900e-03), q, s);
  q = addProduct(f32x4.splat(4.89352518554385e-03), q, s);
  return f32x4.div(f32x4.mul(x, p), q);
}

/** dst[k] = Σ o_i tanh(base_i + c_ik), c being m×8; float32, but for the sums, which go from the first row to the last. */
export function tanhSum(dst: usize, c: usize, base: usize, o: usize, m: i32): void {
  let s0 = f64x2.splat(0), s1 = s0, s2 = s0, s3 = s0;
  for (let i = 0; i < m; i++, c += 8 * F32, base += F32, o += F32) {
    const b = v128.load32_splat(base), w = v128.load32_splat(o);
    const x = f32x4.mul(w, tanh(f32x4.add(b, v128.load(c)))), y = f32x4.mul(w, tanh(f32x4.add(b, v128.load(c + 4 * F32))));
    s0 = f64x2.add(s0, f64x2.promote_low_f32x4(x));
    s1 = f64x2.add(s1, f64x2.promote_low_f32x4(v128.shuffle<f32>(x, x, 2, 3, 2, 3)));
    s2 = f64x2.add(s2, f64x2.promote_low_f32x4(y));
    s3 = f64x2.add(s3, f64x2.promote_low_f32x4(v128.shuffle<f32>(y, y, 2, 3, 2, 3)));
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

// @ts-ignore: decorator
@inline
function interleaved(s01: v128, s23: v128, s0: f64): f64 {
  return s0 + f64x2.extract_lane(s01, 1) + f64x2.extract_lane(s23, 0) + f64x2.extract_lane(s23, 1);
}

/**
 * Layer normalisation of every row of X, float32: (v − mean) / √(variance + ε) ·
 * gain_j + bias_j of v = scale_k · x_kj. Sums are interleaved, in float64; the
 * rest is float32.
 */
export function normalize(dst: usize, x: usize, scale: usize, gain: usize, bias: usize, epsilon: f64, rows: i32, cols: i32): void {
  const row = <usize>cols * F32, whole = <usize>(cols & ~3) * F32;
  for (let k = 0; k < rows; k++, dst += row, x += row, scale += F64) {
    const f = load<f64>(scale), ff = f64x2.splat(f);
    let s01 = f64x2.splat(0), s23 = s01, t01 = s01, t23 = s01;
    for (let at: usize = 0; at < whole; at += 4 * F32) {
      const u = f64x2.mul(ff, wide(x + at)), v = f64x2.mul(ff, wide(x + at + 2 * F32));
      s01 = f64x2.add(s01, u);
      s23 = f64x2.add(s23, v);
      t01 = f64x2.add(t01, f64x2.mul(u, u));
      t23 = f64x2.add(t23, f64x2.mul(v, v));
    }
    let s = f64x2.extract_lane(s01, 0), t = f64x2.extract_lane(t01, 0);
    for (let at = whole; at < row; at += F32) {
      const v = f * <f64>load<f32>(x + at);
      s += v;
      t += v * v;
    }
    const mean = interleaved(s01, s23, s) / <f64>cols, means = f64x2.splat(mean);
    const variance = max<f64>(0, interleaved(t01, t23, t) / <f64>cols - mean * mean);
    const g = 1 / sqrt<f64>(variance + epsilon);

    const slope = <f32>(f * g), level = <f32>(-mean * g), slopes = f32x4.splat(slope), levels = f32x4.splat(level);
    let at: usize = 0;
    for (; at < whole; at += 4 * F32) {
      const v = f32x4.add(f32x4.mul(slopes, v128.load(x + at)), levels);
      v128.store(dst + at, f32x4.add(f32x4.mul(v, v128.load(gain + at)), v128.load(bias + at)));
    }
    for (; at < row; at += F32) {
      const v: f32 = slope * load<f32>(x + at) + level;
      store<f32>(dst + at, v * load<f32>(gain + at) + load<f32>(bias + at));
    }
  }
}
