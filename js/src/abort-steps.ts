// Steps that are done when a signal is aborted. They are what the DOM standard
// calls abort algorithms: the caller's listeners cannot prevent them, an event
// without an abort does not cause them, and Node does not count them as listeners.

class Follower {
  /** Is aborted with the caller's signal, and unknown to the caller, who could dispatch events at it. */
  readonly signal: AbortSignal;
  /** The caller's signal, to which the other has only a weak reference in Node: a timeout that nobody else holds would never come. */
  readonly source: AbortSignal;
  readonly #steps = new Set<() => void>();

  /** Throws a TypeError for what only looks like a signal. */
  constructor(signal: AbortSignal) {
    try {
      // The getter refuses made-up signals, but not those of other frames.
      Object.getOwnPropertyDescriptor(AbortSignal.prototype, "aborted")!.get!.call(signal);
    } catch (error) {
      throw new TypeError("signal: want an AbortSignal", { cause: error });
    }
    this.source = signal;
    // Browsers before 2024 have no AbortSignal.any.
    this.signal = AbortSignal.any?.([signal]) ?? signal;
  }

  add(step: () => void): () => void {
    // No listener without steps: it would keep the signal in memory.
    if (this.#steps.size === 0) this.signal.addEventListener("abort", this.#run, true);
    this.#steps.add(step);
    return () => {
      if (this.#steps.delete(step) && this.#steps.size === 0) this.signal.removeEventListener("abort", this.#run, true);
    };
  }

  readonly #run = (): void => {
    if (!this.signal.aborted) return;
    const steps = [...this.#steps];
    this.#steps.clear();
    this.signal.removeEventListener("abort", this.#run, true);
    steps.forEach((step) => step());
  };
}

/** By the caller's signal and by the follower's: one for each, or a signal that many calls share would collect them. */
const followers = new WeakMap<AbortSignal, Follower>();

function follower(signal: AbortSignal): Follower {
  let found = followers.get(signal);
  if (!found) {
    found = new Follower(signal);
    followers.set(signal, found).set(found.signal, found);
  }
  return found;
}

/** The same signal, out of reach of the caller. Throws a TypeError for what only looks like a signal. */
export const ownSignal = (signal: AbortSignal): AbortSignal => follower(signal).signal;

/** Does the step when the signal is aborted; returns a function that removes it. */
export function onAbort(signal: AbortSignal | undefined, step: () => void): () => void {
  return !signal || signal.aborted ? () => undefined : follower(signal).add(step);
}
