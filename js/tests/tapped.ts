// Workers whose messages a test sees, and may change.

import { serialize } from "node:v8";
import type { CoreOptions, WorkerLike } from "cerasum";
import { startWorker } from "../dist/node-worker.js";

export type Message = Record<string, unknown> & { kind: string };

/** What crossed: requests to the core, and its answers without progress. */
export interface Tap {
  readonly options: CoreOptions;
  readonly workers: WorkerLike[];
  readonly sent: Message[];
  readonly received: Message[];
  /** The kinds that were sent after the handshake. */
  kinds(): string[];
  forget(): void;
}

export const bytes = (message: unknown): number => serialize(message).length;

/** Options that start the ordinary worker; `change` may put another message in the place of one that is sent. */
export function tapped(change: (message: Message) => Message = (message) => message): Tap {
  const workers: WorkerLike[] = [];
  const sent: Message[] = [];
  const received: Message[] = [];
  return {
    workers,
    sent,
    received,
    kinds: () => sent.map(({ kind }) => kind).filter((kind) => kind !== "start" && kind !== "hello"),
    forget: () => void (sent.length = received.length = 0),
    options: {
      worker: () => {
        const worker = startWorker(new URL("../dist/worker.node.js", import.meta.url));
        workers.push(worker);
        return {
          ...worker,
          postMessage(message) {
            const changed = change(message as Message);
            sent.push(changed);
            worker.postMessage(changed);
          },
          addEventListener(type, listener) {
            worker.addEventListener(type, (event: { data?: Message }) => {
              if (type === "message" && event.data?.kind !== "progress") received.push(event.data!);
              listener(event);
            });
          },
        };
      },
    },
  };
}
