// The argument of the option monitor, and its events.

import type { SummarizerMonitor, SummarizerProgressEvent } from "./summarizer-options.js";
import { describeInterface, isObject } from "./web-idl.js";

/** Guards the constructor. */
const key = Symbol();

type Handler = SummarizerMonitor["ondownloadprogress"];

export const CreateMonitor: new (token?: symbol) => EventTarget = /* @__PURE__ */ (() => {
  class CreateMonitor extends EventTarget {
    #handler: Handler = null;

    constructor(...[token]: [symbol?]) {
      if (token !== key) throw new TypeError("Illegal constructor");
      super();
    }

    get ondownloadprogress(): Handler {
      return this.#handler;
    }

    set ondownloadprogress(value: Handler) {
      const before = this.#handler;
      // As all event handlers, it may be an object that cannot be called, which does nothing.
      this.#handler = isObject(value) ? value : null;
      // A replaced handler keeps its position among the listeners.
      if (this.#handler && !before) this.addEventListener("downloadprogress", this.#listener);
      if (!this.#handler) this.removeEventListener("downloadprogress", this.#listener);
    }

    readonly #listener = (event: Event): void => {
      if (typeof this.#handler === "function") this.#handler(event as SummarizerProgressEvent);
    };
  }
  describeInterface(CreateMonitor, "CreateMonitor", ["ondownloadprogress"]);
  return CreateMonitor;
})();

export const createMonitor = (): SummarizerMonitor => new CreateMonitor(key) as SummarizerMonitor;

/** ProgressEvent, which Node does not have. */
const Progress: typeof ProgressEvent = /* @__PURE__ */ (() => globalThis.ProgressEvent ?? class ProgressEvent extends Event {
  readonly #init: ProgressEventInit;

  constructor(type: string, init: ProgressEventInit = {}) {
    super(type, init);
    this.#init = { ...init };
  }

  get lengthComputable(): boolean {
    return this.#init.lengthComputable ?? false;
  }

  get loaded(): number {
    return this.#init.loaded ?? 0;
  }

  get total(): number {
    return this.#init.total ?? 0;
  }
})();

export const progressEvent = (loaded: number): Event => new Progress("downloadprogress", { lengthComputable: true, loaded, total: 1 });
