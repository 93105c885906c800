// Detects a worker that died silently. A browser that kills a worker's thread
// (to free memory, or in the background) sends the page no event, and a pending
// call would never settle. So the worker holds a Web Lock while it lives, and
// the page requests the same lock: it is granted when the worker has died.
//
// Where there are no Web Locks (in pages of neither https nor localhost, in
// sandboxed frames without an origin, in browsers of before 2022) such an end
// stays unnoticed; calls can be aborted there, which gives the next one a new
// worker. Under Node a thread that ends says so.
//
// One that ends in its first milliseconds, before it has the lock, is not missed
// either: nothing tells it from one whose script is slow to load.
//
// A page keeps its place in the back/forward cache; a frozen worker keeps its lock.

/** Says which lock the worker holds. It comes once, before the answer to the start message as a rule. */
export interface AliveMessage { kind: "alive"; lock: string }

/** The worker's side: takes a lock with a unique name, and posts the name. */
export function live(post: (message: AliveMessage) => void): void {
  const { locks } = globalThis.navigator;
  if (!locks) return;
  const lock = `cerasum worker ${crypto.randomUUID()}`;
  // Never resolved: the lock goes with the worker.
  const life = new Promise<never>(() => {});
  locks.request(lock, () => {
    post({ kind: "alive", lock });
    return life;
  }).catch(() => undefined); // an origin that may have none
}

/** The client's side: calls `gone` when the holder of the lock has ended, unless the signal is aborted first. */
export function watch(lock: string, signal: AbortSignal, gone: () => void): void {
  globalThis.navigator.locks.request(lock, { signal }, gone).catch(() => undefined);
}
