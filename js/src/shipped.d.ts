// The shipped encoder, as build/encoder.mjs writes it into dist/shipped.js.

/**
 * Its files; none if this build ships no encoder. Without the list, a page would
 * request optional files that do not exist.
 */
export const shippedFiles: readonly string[];

/** Whether it is static, so that it runs without onnxruntime. */
export const shippedStatic: boolean;
