// The hub of a page, a file of its own that is loaded when a page asks for a
// model: most never do.

import { cacheStore } from "./hub-cache.js";
import { createHub } from "./hub.js";

export const { fetchModel, listModels, deleteModel } = createHub({ store: cacheStore, baseURL: undefined });
export { modelFromFiles } from "./hub.js";
