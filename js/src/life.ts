// Detects a worker that died silently. A browser that kills a worker's thread
// (to free memory, or in the background) sends the page no event, and a pending
// call would never settle. So the worker holds a Web Lock while it lives, and
// the page requests the same lock: it is granted when the worker has died.
//
// Without Web Locks (pages that are neither https nor localhost, sandboxed frames
// without an origin, browsers before 2022) this is not detected; aborting the
// call gives the next one a new worker. Node reports threads that end.
//
// A worker that dies in its first milliseconds, before it holds the lock, is not
// detected either: it looks like one whose script is slow to load.
//
// Pages in the back/forward cache are safe: a frozen worker keeps its lock.

/** Names the lock that the worker holds. Sent once, usually before the answer to the start message. */
export interface AliveMessage { kind: "alive"; lock: string }

/** The worker's side: takes a lock with a unique name, and posts the name. */
export function live(post: (message: AliveMessage) => void): void {
  const { locks } = globalThis.navigator;
  if (!locks) return;
  const lock = `cerasum worker ${crypto.randomUUID()}`;
  // Never resolved: the lock is released when the worker ends.
  const life = new Promise<never>(() => {});
  locks.request(lock, () => {
    post({ kind: "alive", lock });
    return life;
  }).catch(() => undefined); // locks are not allowed for this origin
}

/** The client's side: calls `gone` when the holder of the lock has ended, unless the signal is aborted first. */
export function watch(lock: string, signal: AbortSignal, gone: () => void): void {
  globalThis.navigator.locks.request(lock, { signal }, gone).catch(() => undefined);
}
