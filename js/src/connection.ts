import { Channel, tell } from "./channel.js";
import { decodeReply } from "./decode.js";
import { crashError, replyError, startError } from "./errors.js";
import { type ErrorReply, PROTOCOL, type Progress, type ProgressReply, type Reply, type Request } from "./protocol.js";
import type { StartMessage, WorkerLike, WorkerMessage } from "./worker-messages.js";

/** A request without its id, which the connection gives. */
export type Call = Exclude<Request, { kind: "hello" }> extends infer R
  ? R extends { id: number } ? Omit<R, "id"> : never
  : never;

/** An answer that ends a call. */
export type Answer = Exclude<Reply, { kind: "hello" | "progress" | "error" }>;

/**
 * A worker that runs the core and has completed the handshake. It takes one call
 * at a time. When the worker ends, the call rejects and `closed` stays true.
 */
export class Connection {
  /** Version of the core. */
  version = "";
  /** The compiled program, for the next connection. */
  module: WebAssembly.Module | undefined;

  readonly #channel: Channel;
  #lastID = 0;

  private constructor(worker: WorkerLike) {
    this.#channel = new Channel(worker, {
      failed: (message) => this.module
        ? crashError(message || "its worker failed")
        : startError("NetworkError", message || "the worker's script cannot be loaded"),
      unreadable: () => crashError("unreadable message from the worker"),
      crashed: (message) => crashError(message),
    });
  }

  get closed(): boolean {
    return this.#channel.closed;
  }

  /**
   * Starts the program in the worker and performs the handshake. `opened` gets
   * the connection before it is ready, so that it can be closed meanwhile.
   * On failure, terminates the worker and rejects with a DOMException,
   * NetworkError or OperationError.
   */
  static async open(
    worker: WorkerLike,
    wasm: string | WebAssembly.Module,
    opened: (connection: Connection) => void,
  ): Promise<Connection> {
    const connection = new Connection(worker);
    const channel = connection.#channel;
    opened(connection);
    try {
      const start: StartMessage = { kind: "start", wasm };
      const started = (await channel.exchange(start)) as WorkerMessage;
      if (started.kind === "failed") throw startError(started.name, started.message);
      if (started.kind !== "started") throw startError("OperationError", "the worker does not run worker.js");
      connection.module = started.module;
      const hello = decodeReply(await channel.exchange({ kind: "hello", protocol: PROTOCOL }));
      if (hello.kind === "error") throw startError("OperationError", hello.message);
      if (hello.kind !== "hello" || hello.protocol !== PROTOCOL) {
        throw startError("OperationError", `the core does not speak protocol ${PROTOCOL}`);
      }
      connection.version = hello.version;
      return connection;
    } catch (error) {
      const reason = error instanceof DOMException ? error : startError("OperationError", String(error));
      connection.close(reason);
      throw reason;
    }
  }

  /** Rejects with the error of an error reply (see replyError), or with the reason of close. */
  async call(call: Call, onprogress?: (progress: Progress) => void): Promise<Answer> {
    const id = ++this.#lastID;
    const listen = onprogress && ((message: unknown) => this.#progress(message, onprogress));
    const reply = this.#decode(await this.#channel.exchange({ ...call, id }, listen));
    if (reply.kind === "error") throw replyError(reply);
    return reply as Answer;
  }

  /** Returns what `read` returns. If `read` throws, the reply is invalid and the connection is closed. */
  trust<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      const reason = crashError(`invalid reply: ${(error as Error).message}`);
      this.close(reason);
      throw reason;
    }
  }

  /** Terminates the worker. A call in progress, and all later ones, reject with the reason. */
  close(reason: unknown): void {
    this.#channel.close(reason);
  }

  /** Decodes the reply to the last call. Closes the connection if it is invalid. */
  #decode(message: unknown): Answer | ProgressReply | ErrorReply {
    return this.trust(() => {
      const reply = decodeReply(message);
      if (reply.kind !== "hello" && reply.id === this.#lastID) return reply;
      throw new Error(`want an answer to call ${this.#lastID}`);
    });
  }

  #progress(message: unknown, listener: (progress: Progress) => void): void {
    let progress: Answer | ProgressReply | ErrorReply;
    try {
      progress = this.#decode(message);
    } catch {
      return; // The connection is closed and the call has rejected.
    }
    if (progress.kind !== "progress") return;
    const { stage, done, total } = progress;
    tell(listener, { stage, done, total });
  }
}

/** Returns the answer if it is of the expected kind. */
export function expect<K extends Answer["kind"]>(answer: Answer, kind: K): Answer & { kind: K } {
  if (answer.kind !== kind) throw new DOMException(`want an answer of kind ${kind}, got ${answer.kind}`, "OperationError");
  return answer as Answer & { kind: K };
}
