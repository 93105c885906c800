declare module "virtual:samples" {
  /** The samples in display order; `language` is "mul" for several languages. */
  const samples: { name: string; title: string; language: string; documents: number }[];
  export default samples;
}

declare module "virtual:weights" {
  /** The weights that ship with the page; a method uses the first that fit it. */
  const weights: { name: string; method: string; licence: string; free: boolean }[];
  export default weights;
}

declare module "virtual:elsewhere" {
  /** Sources that documents may be fetched from, as in the policy; by default none. */
  export const elsewhere: string[];
}

declare module "virtual:encoder" {
  /** Addresses and sizes of all that a worker loads for the encoder; none if this build has none. */
  export const encoderFiles: [address: string, bytes: number][];
  /** What a host that sends compressed copies sends of them. */
  export const packedBytes: number;
}

declare module "virtual:core" {
  /** Address of the core; undefined on the development server. */
  export const coreURL: string | undefined;
  export const coreBytes: number;
}

declare module "virtual:files" {
  /** Address of the program of wasm/files, relative to the page. */
  export const filesPath: string;
}

/** Go's loader, wasm_exec.js. */
declare module "virtual:go" {
  global {
    class Go {
      importObject: WebAssembly.Imports;
      /** Runs until the program ends or waits for a call from outside. */
      run(instance: WebAssembly.Instance): Promise<void>;
    }
  }
}

declare module "css-tree/tokenizer" {
  export function tokenize(source: string, onToken: (type: number, start: number, end: number) => void): void;
  export const tokenTypes: Record<"Function" | "Colon" | "Semicolon" | "Comment" | "CDO" | "CDC" | "LeftSquareBracket" | "RightSquareBracket" | "LeftParenthesis" | "RightParenthesis" | "LeftCurlyBracket" | "RightCurlyBracket", number>;
}
