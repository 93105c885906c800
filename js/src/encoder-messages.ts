// Messages between the encoder's client and its worker. The client sends start,
// answered by started or failed, then embed, answered by embedded or failed.
// Progress messages precede the answers. Cancel has no answer: the embed that it
// stops fails. Crashed can come at any time and is the last message.

/** The files of an export folder: the folder's address, or each file by its path in the folder. */
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
  /** Put before every text; undefined: as the export says. */
  prefix: string | undefined;
}
export interface EmbedMessage { kind: "embed"; texts: readonly string[] }
export interface CancelMessage { kind: "cancel" }
export type EncoderRequest = StartEncoderMessage | EmbedMessage | CancelMessage;

/** What is known about an encoder once it runs. */
export interface EncoderInfo {
  dimensions: number;
  /** As listed in its model card; empty if there are none. */
  languages: string[];
  /** The name in its config.json; empty if there is none. */
  model: string;
  /** The backend; "wasm" if WebGPU was requested but is not available, and for static encoders. */
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
