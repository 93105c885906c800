import type { ErrorReply } from "./protocol.js";

/** The documents contain no text. */
export class EmptyInputError extends Error {
  override readonly name = "EmptyInputError";
}

/** An invalid option or document. `field` is its path, e.g. "documents[3].language". */
export class OptionError extends TypeError {
  constructor(message: string, readonly field?: string) {
    super(message);
  }
}

/** The start failed: a file could not be loaded ("NetworkError") or does not run ("OperationError"). */
export const startError = (name: "NetworkError" | "OperationError", message: string): DOMException =>
  new DOMException(`cerasum cannot start: ${message}`, name);

/** The worker ended on its own, in the middle of a call or between two. */
export const crashError = (message: string): DOMException =>
  new DOMException(`cerasum stopped: ${message}`, "OperationError");

export const destroyedError = (): DOMException =>
  new DOMException("this core has been destroyed", "AbortError");

/** The encoder's start failed: a file could not be loaded ("NetworkError"), or is not what it must be. */
export const encoderStartError = (name: string, message: string): DOMException =>
  new DOMException(`the encoder cannot start: ${message}`, name);

/** The encoder's worker ended on its own, or its runtime failed. */
export const encoderCrashError = (message: string): DOMException =>
  new DOMException(`the encoder stopped: ${message}`, "OperationError");

export const encoderDestroyedError = (): DOMException =>
  new DOMException("this encoder has been destroyed", "AbortError");

/** A call of a session after close(), or of one that the core does not have. */
const sessionError = (message: string): DOMException => new DOMException(message, "InvalidStateError");

export const sessionClosedError = (): DOMException => sessionError("this session has been closed");

/** Whether the core does not have the session. */
export const isForgotten = (error: unknown): boolean => error instanceof DOMException && error.name === "InvalidStateError";

/** What a call rejects with for an error reply. */
export function replyError(reply: ErrorReply): Error {
  switch (reply.code) {
    case "option":
      return new OptionError(reply.message, reply.field);
    case "empty":
      return new EmptyInputError(reply.message);
    case "session":
      return sessionError(reply.message);
    case "protocol":
    case "internal":
      return new DOMException(reply.message, "OperationError");
  }
}

/** The type of a value for messages, as the core names it: "an array". */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
