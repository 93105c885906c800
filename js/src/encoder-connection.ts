import { Channel, tell } from "./channel.js";
import type { EncoderProgress, EncoderReply, EncoderRequest, EncoderStartedMessage, StartEncoderMessage, Tokens } from "./encoder-messages.js";
import { encoderCrashError, encoderStartError } from "./errors.js";
import type { WorkerLike } from "./worker-messages.js";

/** A worker in which an encoder runs. It takes one call at a time. */
export class EncoderConnection {
  readonly #channel: Channel;
  #info: EncoderStartedMessage | undefined;

  private constructor(worker: WorkerLike) {
    this.#channel = new Channel(worker, {
      failed: (message) => this.#info
        ? encoderCrashError(message || "its worker failed")
        : encoderStartError("NetworkError", message || "the worker's script cannot be loaded"),
      unreadable: () => encoderCrashError("unreadable message from its worker"),
      crashed: encoderCrashError,
    });
  }

  get closed(): boolean {
    return this.#channel.closed;
  }

  get info(): EncoderStartedMessage {
    return this.#info!;
  }

  /** As Connection.open. */
  static async open(
    worker: WorkerLike,
    start: Omit<StartEncoderMessage, "kind">,
    opened: (connection: EncoderConnection) => void,
    onprogress: (progress: EncoderProgress) => void,
  ): Promise<EncoderConnection> {
    const connection = new EncoderConnection(worker);
    opened(connection);
    try {
      const reply = await connection.#exchange({ kind: "start", ...start }, onprogress);
      if (reply.kind === "failed") throw encoderStartError(reply.name, reply.message);
      if (reply.kind !== "started") throw encoderStartError("OperationError", "the worker does not run encoder-worker.js");
      connection.#info = reply;
      return connection;
    } catch (error) {
      const reason = error instanceof DOMException ? error : encoderStartError("OperationError", String(error));
      connection.close(reason);
      throw reason;
    }
  }

  /** texts × dimensions numbers, row-major. */
  async embed(tokens: Tokens, onprogress: (progress: EncoderProgress) => void): Promise<Float32Array<ArrayBuffer>> {
    const reply = await this.#exchange({ kind: "embed", ...tokens }, onprogress);
    if (reply.kind === "embedded" && reply.embeddings.length === tokens.lengths.length * this.info.dimensions) return reply.embeddings;
    if (reply.kind === "failed") throw new DOMException(reply.message, reply.name);
    const reason = encoderCrashError("invalid answer from its worker");
    this.close(reason);
    throw reason;
  }

  /** Stops after the current batch. */
  cancel(): void {
    this.#channel.post({ kind: "cancel" } satisfies EncoderRequest);
  }

  /** Terminates the worker. A call in progress, and all later ones, reject with the reason. */
  close(reason: unknown): void {
    this.#channel.close(reason);
  }

  async #exchange(request: EncoderRequest, onprogress: (progress: EncoderProgress) => void): Promise<EncoderReply> {
    return (await this.#channel.exchange(request, (message) => {
      const { stage, done, total } = message as EncoderProgress;
      tell(onprogress, { stage, done, total });
    })) as EncoderReply;
  }
}
