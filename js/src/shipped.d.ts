// The shipped encoder, as build/encoder.mjs writes it into dist/shipped.js.

/** Its name in weights of CeRA and CeRAI. */
export const encoderName: string;

/** Its files by their names; none if this build ships no encoder. */
export const encoderFiles: Readonly<Record<string, { readonly bytes: number; readonly sha256: string }>>;
