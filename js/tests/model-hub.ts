// A server with the hub's layout of addresses, and a store on another origin
// that it redirects to for large files, as the hub does.

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const testID = "tests/tiny-encoder";

/** The shape of an export, not its sense. */
function tinyModel(): Record<string, Buffer> {
  const weights = Buffer.alloc(300_000);
  let state = 1;
  for (let i = 0; i < weights.length; i++) weights[i] = (state = (state * 48271) % 2147483647) & 255;
  weights[0] = 8;
  const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
  return {
    "modules.json": json([
      { idx: 0, name: "0", path: "", type: "sentence_transformers.models.Transformer" },
      { idx: 1, name: "1", path: "1_Pooling", type: "sentence_transformers.models.Pooling" },
      { idx: 2, name: "2", path: "2_Normalize", type: "sentence_transformers.models.Normalize" },
    ]),
    "config.json": json({ hidden_size: 16 }),
    "1_Pooling/config.json": json({ word_embedding_dimension: 16, pooling_mode_mean_tokens: true }),
    "sentence_bert_config.json": json({ max_seq_length: 64 }),
    "tokenizer.json": json({ version: "1.0", model: { type: "WordPiece" } }),
    "README.md": Buffer.from("---\nlanguage: en\nlicense: apache-2.0\n---\n# Tiny\n"),
    "onnx/model.onnx": weights,
    "onnx/model_quantized.onnx": Buffer.concat([Buffer.from([8]), Buffer.alloc(1000, "q")]),
  };
}

export const tinyFiles = [
  "1_Pooling/config.json", "README.md", "config.json", "modules.json", "onnx/model.onnx", "sentence_bert_config.json", "tokenizer.json",
];

export const sha256 = (data: Buffer): string => createHash("sha256").update(data).digest("hex");
export const gitBlob = (data: Buffer): string => createHash("sha1").update(`blob ${data.length}\0`).update(data).digest("hex");

/** Answers a request itself and returns true, or leaves it. */
export type Trouble = (request: IncomingMessage, response: ServerResponse, file: string, data: Buffer | undefined) => boolean;

export class ModelHub {
  files = tinyModel();
  /** Empty: not told, as by a plain file server. */
  commit = "ab".repeat(20);
  /** Large files are redirected to the store. */
  lfs = false;
  trouble: Trouble | undefined;
  /** Paths, and ranges if any, in their order. */
  readonly asked: string[] = [];
  readonly headers: IncomingMessage["headers"][] = [];
  readonly #hub = createServer((request, response) => this.#serve(request, response));
  readonly #store = createServer((request, response) => this.#serveStored(request, response));
  baseURL = "";
  #storeURL = "";

  async start(): Promise<this> {
    const listen = async (server: Server): Promise<string> => {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    this.baseURL = await listen(this.#hub);
    this.#storeURL = await listen(this.#store);
    return this;
  }

  stop(): void {
    for (const server of [this.#hub, this.#store]) {
      server.closeAllConnections();
      server.close();
    }
  }

  reset(): void {
    Object.assign(this, { files: tinyModel(), commit: "ab".repeat(20), lfs: false, trouble: undefined });
    this.forget();
  }

  forget(): void {
    this.asked.length = this.headers.length = 0;
  }

  /** The requests for a file. */
  of(file: string): string[] {
    return this.asked.filter((line) => line.includes(`/${file}`));
  }

  #note(request: IncomingMessage, response: ServerResponse): string {
    const path = new URL(request.url ?? "/", "http://x").pathname;
    const { range } = request.headers;
    this.asked.push(range ? `${path} ${range}` : path);
    this.headers.push(request.headers);
    response.setHeader("access-control-allow-origin", "*");
    return path;
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const path = this.#note(request, response);
    response.setHeader("access-control-expose-headers", "X-Repo-Commit, X-Error-Code, ETag, Accept-Ranges, Content-Range, X-Linked-Size, X-Linked-ETag");
    const start = `/${testID}/resolve/`;
    if (!path.startsWith(start)) {
      response.writeHead(404, { "x-error-code": "RepoNotFound" }).end("Repository not found");
      return;
    }
    const file = path.slice(start.length).replace(/^[^/]*\//, "");
    const data = this.files[file];
    if (this.commit) response.setHeader("x-repo-commit", this.commit);
    if (this.trouble?.(request, response, file, data)) return;
    if (!data) {
      response.writeHead(404, { "x-error-code": "EntryNotFound" }).end("Entry not found");
    } else if (this.lfs && file.endsWith(".onnx")) {
      response.writeHead(302, { location: `${this.#storeURL}/store/${file}?signature=secret`, "x-linked-etag": `"${sha256(data)}"` }).end();
    } else {
      response.setHeader("etag", `"${gitBlob(data)}"`);
      send(request, response, data);
    }
  }

  #serveStored(request: IncomingMessage, response: ServerResponse): void {
    const file = this.#note(request, response).slice("/store/".length);
    const data = this.files[file]!;
    response.setHeader("access-control-expose-headers", "*");
    // Of the store's own making: no hash of the file, though it looks like one.
    response.setHeader("etag", `"${sha256(Buffer.from(sha256(data)))}"`);
    if (this.trouble?.(request, response, file, data)) return;
    send(request, response, data);
  }
}

const begin = (request: IncomingMessage): number => Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);

export function send(request: IncomingMessage, response: ServerResponse, data: Buffer): void {
  const from = begin(request);
  head(response, data, from).end(data.subarray(from));
}

function head(response: ServerResponse, data: Buffer, from: number): ServerResponse {
  response.setHeader("content-length", data.length - from);
  return from > 0 ? response.writeHead(206, { "content-range": `bytes ${from}-${data.length - 1}/${data.length}` }) : response.writeHead(200);
}

/** Sends so many bytes of the model, then closes the connection; undefined: all. */
export const cutting = (at: (from: number) => number | undefined): Trouble => (request, response, file, data) => {
  const from = begin(request);
  const n = file === "onnx/model.onnx" && data ? at(from) : undefined;
  if (n === undefined || from + n >= data!.length) return false;
  if (!response.hasHeader("etag")) response.setHeader("etag", `"${gitBlob(data!)}"`);
  head(response, data!, from).write(data!.subarray(from, from + n), () => setTimeout(() => response.destroy(), 20));
  return true;
};
