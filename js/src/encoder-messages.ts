// Messages between the encoder's client and its worker. The client sends start,
// answered by started or failed, then embed, answered by embedded or failed.
// Progress messages precede the answers. Cancel has no answer: the embed that it
// stops fails. Crashed can come at any time and is the last message.

/** A file of the encoder. */
export interface EncoderFile {
  /** Absolute address. */
  url: string;
  /** In hexadecimal; empty if it is not known. */
  sha256: string;
}

export interface StartEncoderMessage {
  kind: "start";
  model: EncoderFile;
  vocabulary: EncoderFile;
  /** Folder of onnxruntime-web's files; absolute, with a slash at its end. */
  ortURL: string;
  /** Most threads to run on; only a cross-origin isolated page has more than one. */
  threads: number;
}

/** What the network reads of texts: their ids one after the other. */
export interface Tokens {
  ids: Uint32Array;
  /** Of each text in ids; 0 for a text without pieces. */
  lengths: Uint32Array;
  /** How many ids of each text precede its own; one follows them. */
  before: number;
}
export interface EmbedMessage extends Tokens { kind: "embed" }
export interface CancelMessage { kind: "cancel" }
export type EncoderRequest = StartEncoderMessage | EmbedMessage | CancelMessage;

export interface EncoderStartedMessage {
  kind: "started";
  dimensions: number;
  threads: number;
  /** For the core, which makes the ids. */
  vocabulary: Uint8Array<ArrayBuffer>;
}
export interface EmbeddedMessage { kind: "embedded"; embeddings: Float32Array<ArrayBuffer> }
/** load counts bytes, encode counts texts. */
export interface EncoderProgress { stage: "load" | "encode"; done: number; total: number }
export interface EncoderProgressMessage extends EncoderProgress { kind: "progress" }
export interface EncoderFailedMessage {
  kind: "failed";
  name: "NetworkError" | "OperationError" | "AbortError";
  message: string;
}
export type EncoderReply = EncoderStartedMessage | EmbeddedMessage | EncoderProgressMessage | EncoderFailedMessage;
