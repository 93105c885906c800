// Messages between the encoder's client and its worker. The client sends start,
// which is answered by started or failed, then embed, answered by embedded or
// failed; messages of progress come before the answers. Cancel has no answer of
// its own: the embed that it stops fails. Crashed comes at any time and is the
// last message.

/** Where the files of an export folder are: below an address, or one by one under their paths in the folder. */
export type EncoderSource =
  | { kind: "folder"; url: string }
  | { kind: "files"; files: Record<string, Blob | string> };

export type Device = "wasm" | "webgpu";

export interface StartEncoderMessage {
  kind: "start";
  source: EncoderSource;
  /** Folder of onnxruntime-web's files; absolute, with a slash at its end. */
  ortURL: string;
  device: Device;
  /** Before every text; undefined: what the export says. */
  prefix: string | undefined;
}
export interface EmbedMessage { kind: "embed"; texts: readonly string[] }
export interface CancelMessage { kind: "cancel" }
export type EncoderRequest = StartEncoderMessage | EmbedMessage | CancelMessage;

/** What is known of an encoder once it runs. */
export interface EncoderInfo {
  dimensions: number;
  /** As its model card lists them; empty where it does not. */
  languages: string[];
  /** What its config.json calls it; empty where it does not. */
  model: string;
  /** The backend; "wasm" if WebGPU was requested but is not available. */
  device: Device;
}

export interface EncoderStartedMessage extends EncoderInfo { kind: "started" }
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
