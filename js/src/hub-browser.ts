// The hub in a browser. Loaded separately, when a page first asks for a model:
// most pages never do.

import { cacheStore } from "./hub-cache.js";
import { createHub } from "./hub.js";

export const { fetchModel, listModels, deleteModel } = createHub({ store: cacheStore, baseURL: undefined });
export { modelFromFiles } from "./hub.js";
