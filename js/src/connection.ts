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
 * A worker in which the core runs and has said hello. It takes one call at a
 * time. When the worker ends, the call rejects and `closed` is true for ever.
 */
export class Connection {
  /** The core's. */
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
   * Starts the program in the worker and shakes hands with it. `opened` gets
   * the connection before it is ready, so that it can be closed meanwhile.
   * Rejects with a DOMException, NetworkError or OperationError; the worker is
   * terminated then.
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
      if (started.kind !== "started") throw startError("OperationError", "the worker is not cerasum's");
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

  /** Rejects with what replyError makes of an error reply, or with the reason of close. */
  async call(call: Call, onprogress?: (progress: Progress) => void): Promise<Answer> {
    const id = ++this.#lastID;
    const listen = onprogress && ((message: unknown) => this.#progress(message, onprogress));
    const reply = this.#decode(await this.#channel.exchange({ ...call, id }, listen));
    if (reply.kind === "error") throw replyError(reply);
    return reply as Answer;
  }

  /** What `read` makes of an answer. If it throws, the reply is invalid, and the core is closed. */
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

  /** The message as a reply to the last call; a core that does not make sense is closed. */
  #decode(message: unknown): Answer | ProgressReply | ErrorReply {
    return this.trust(() => {
      const reply = decodeReply(message);
      if (reply.kind !== "hello" && reply.id === this.#lastID) return reply;
      throw new Error(`an answer to call ${this.#lastID} was expected`);
    });
  }

  #progress(message: unknown, listener: (progress: Progress) => void): void {
    let progress: Answer | ProgressReply | ErrorReply;
    try {
      progress = this.#decode(message);
    } catch {
      return; // closed, and the call has been told why
    }
    if (progress.kind !== "progress") return;
    const { stage, done, total } = progress;
    tell(listener, { stage, done, total });
  }
}

/** The answer, if it is of the kind that was asked for. */
export function expect<K extends Answer["kind"]>(answer: Answer, kind: K): Answer & { kind: K } {
  if (answer.kind !== kind) throw new DOMException(`the core answered ${answer.kind} to a call for ${kind}`, "OperationError");
  return answer as Answer & { kind: K };
}
