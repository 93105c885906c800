// Reading and writing the binary format of WebAssembly.

/** The error for a module that is not laid out as Go's linker does it today. */
export const wrong = (what) => new Error(`unexpected layout of the linked WebAssembly: ${what} (build/pack-wasm.mjs)`);

export class Reader {
  constructor(buffer, at = 0) {
    this.buffer = buffer;
    this.at = at;
  }

  done() {
    return this.at === this.buffer.length;
  }

  byte() {
    return this.bytes(1)[0];
  }

  bytes(length) {
    if (this.at + length > this.buffer.length) throw wrong("it ends too early");
    this.at += length;
    return this.buffer.subarray(this.at - length, this.at);
  }

  /** A LEB128 number of at most 32 bits, not negative. */
  number() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      if (scale > 2 ** 28) throw wrong("a number of more than five bytes");
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }
}

/** A number, not negative, in LEB128. */
export function unsigned(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return [...bytes, value];
}

/** The same for signed numbers: bit 6 of the last byte is the sign. */
export function signed(value) {
  const bytes = unsigned(value);
  if (bytes.at(-1) < 64) return bytes;
  bytes[bytes.length - 1] += 128;
  return [...bytes, 0];
}
