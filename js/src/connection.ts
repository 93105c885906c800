import { decodeReply } from "./decode.js";
import { crashError, replyError, startError } from "./errors.js";
import { type ErrorReply, PROTOCOL, type Progress, type ProgressReply, type Reply, type Request } from "./protocol.js";
import type { CrashedMessage, StartMessage, WorkerLike, WorkerMessage } from "./worker-messages.js";

/** A request without its id, which the connection gives. */
export type Call = Exclude<Request, { kind: "hello" }> extends infer R
  ? R extends { id: number } ? Omit<R, "id"> : never
  : never;

/** An answer that ends a call. */
export type Answer = Exclude<Reply, { kind: "hello" | "progress" | "error" }>;

interface Pending {
  resolve(message: unknown): void;
  reject(error: unknown): void;
  onprogress: ((progress: Progress) => void) | undefined;
}

/**
 * A worker in which the core runs and has said hello. It takes one call at a
 * time. When the worker ends, the call rejects and `closed` is true for ever.
 */
export class Connection {
  closed = false;
  /** The core's. */
  version = "";
  /** The compiled program, for the next connection. */
  module: WebAssembly.Module | undefined;

  readonly #worker: WorkerLike;
  #pending: Pending | undefined;
  #reason: unknown;
  #lastID = 0;

  private constructor(worker: WorkerLike) {
    this.#worker = worker;
    worker.addEventListener("message", (event: { data: unknown }) => this.#receive(event.data));
    worker.addEventListener("error", (event: { message?: string }) => {
      // A browser gives no message where the script itself cannot be loaded.
      this.close(this.module
        ? crashError(event.message || "its worker failed")
        : startError("NetworkError", event.message || "the worker's script cannot be loaded"));
    });
    worker.addEventListener("messageerror", () => this.close(crashError("a message of its worker cannot be read")));
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
    opened(connection);
    try {
      const start: StartMessage = { kind: "start", wasm };
      const started = (await connection.#exchange(start)) as WorkerMessage;
      if (started.kind === "failed") throw startError(started.name, started.message);
      if (started.kind !== "started") throw startError("OperationError", "the worker is not cerasum's");
      connection.module = started.module;
      const hello = decodeReply(await connection.#exchange({ kind: "hello", protocol: PROTOCOL }));
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
    const reply = this.#decode(await this.#exchange({ ...call, id }, onprogress));
    if (reply.kind === "error") throw replyError(reply);
    return reply as Answer;
  }

  /** Terminates the worker. A call in progress, and all later ones, reject with the reason. */
  close(reason: unknown): void {
    if (this.closed) return;
    this.closed = true;
    this.#reason = reason;
    this.#worker.terminate();
    this.#pending?.reject(reason);
    this.#pending = undefined;
  }

  /** Posts a message and waits for the one that answers it. */
  #exchange(message: unknown, onprogress?: (progress: Progress) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(this.#reason);
      this.#pending = { resolve, reject, onprogress };
      this.#worker.ref?.();
      this.#worker.postMessage(message);
    });
  }

  /** The message as a reply to the last call; a core that does not make sense is closed. */
  #decode(message: unknown): Answer | ProgressReply | ErrorReply {
    try {
      const reply = decodeReply(message);
      if (reply.kind !== "hello" && reply.id === this.#lastID) return reply;
      throw new Error(`an answer to call ${this.#lastID} was expected`);
    } catch (error) {
      const reason = crashError(`its answer makes no sense: ${(error as Error).message}`);
      this.close(reason);
      throw reason;
    }
  }

  #receive(message: unknown): void {
    const kind = (message as { kind?: unknown } | null)?.kind;
    if (kind === "crashed") {
      this.close(crashError((message as CrashedMessage).message));
    } else if (kind === "progress") {
      this.#progress(message);
    } else if (this.#pending) {
      const { resolve } = this.#pending;
      this.#pending = undefined;
      this.#worker.unref?.();
      resolve(message);
    }
  }

  #progress(message: unknown): void {
    const listener = this.#pending?.onprogress;
    if (!listener) return;
    let progress: Answer | ProgressReply | ErrorReply;
    try {
      progress = this.#decode(message);
    } catch {
      return; // closed, and the call has been told why
    }
    if (progress.kind !== "progress") return;
    const { stage, done, total } = progress;
    try {
      listener({ stage, done, total });
    } catch (error) {
      // The listener's mistake is for the page to see, and no fault of the call.
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
