// Reads a sentence-transformers export, except its weights. Same as folder.go
// of the command line program's encoder.

import { FileError, type Files } from "./encoder-files.js";
import { isObject, meanPooling, normalize, type Pooling, readDense, readPooling, type Step } from "./encoder-pooling.js";

/** Default maximum number of tokens. */
const DEFAULT_TOKENS = 512;

export interface Folder {
  /** Folder of the transformer, "" or like "0_Transformer". */
  base: string;
  /** Whether there is a modules.json. */
  described: boolean;
  pooling: Pooling;
  steps: Step[];
  prefix: string;
  /** Whether texts are lower-cased first. */
  lower: boolean;
  maxTokens: number;
  languages: string[];
  /** What config.json calls it; empty where it does not. */
  model: string;
}

/** Where files of the transformer may lie, the likeliest first. */
export const places = (base: string, ...names: string[]): string[] =>
  base === "" ? names : [...names.map((name) => `${base}/${name}`), ...names];

/** What modules.json says, and the modules behind the transformer. */
export type Modules = Pick<Folder, "base" | "described" | "pooling" | "steps">;

/** Throws a FileError or LoadError. prefix: the caller's, which goes before the export's. */
export async function readFolder(files: Files, modules: Modules, prefix: string | undefined): Promise<Folder> {
  const [limits, prompt, card] = await Promise.all([readLimits(files, modules.base), readPrefix(files, prefix), files.read("README.md")]);
  if (prompt !== "" && modules.pooling.excludesPrompt) {
    throw new FileError(modules.pooling.file, `include_prompt is false: excluding the prefix ${JSON.stringify(prompt)} from pooling is not supported`);
  }
  return { ...modules, prefix: prompt, ...limits, languages: card ? cardLanguages(new TextDecoder().decode(card)) : [] };
}

/** Throws a FileError or LoadError. */
export async function readModules(files: Files): Promise<Modules> {
  const name = "modules.json";
  const modules = await files.settings(name);
  if (modules === undefined) return { base: "", described: false, pooling: meanPooling, steps: [] };
  if (!Array.isArray(modules) || modules.length === 0) throw new FileError(name, "no modules listed");
  let base = "";
  let pooling: Pooling | undefined;
  const steps: Step[] = [];
  for (const [i, module] of modules.entries()) {
    const { path, type } = isObject(module) ? module : {};
    if (typeof path !== "string" || typeof type !== "string") throw new FileError(name, `[${i}]: want an object with path and type`);
    // Refuse "..", absolute paths and URLs, which lead out of the model's folder.
    if (path !== "" && !/^[^/\\:?#]+(\/[^/\\:?#]+)*$/.test(path) || path.split("/").some((part) => part.startsWith("."))) {
      throw new FileError(name, `[${i}].path: want a path inside the model's folder, got ${JSON.stringify(path)}`);
    }
    const kind = type.slice(type.lastIndexOf(".") + 1);
    if (kind === "Transformer" && i === 0) base = path;
    else if (kind === "Pooling" && !pooling && steps.length === 0) pooling = await readPooling(files, path === "" ? "config.json" : `${path}/config.json`);
    else if (kind === "Dense") steps.push(await readDense(files, path));
    else if (kind === "Normalize") steps.push(normalize);
    else if (kind === "Transformer" || kind === "Pooling") {
      throw new FileError(name, `[${i}]: ${kind} out of order: want Transformer, Pooling, then Dense and Normalize`);
    } else throw new FileError(name, `[${i}].type: unknown ${JSON.stringify(type)}: want Transformer, Pooling, Dense or Normalize`);
  }
  return { base, described: true, pooling: pooling ?? meanPooling, steps };
}

async function readPrefix(files: Files, given: string | undefined): Promise<string> {
  const name = "config_sentence_transformers.json";
  const c = await files.settings(name);
  if (given !== undefined) return given;
  if (!isObject(c) || !c["default_prompt_name"]) return "";
  const chosen = c["default_prompt_name"];
  const prompt = isObject(c["prompts"]) && typeof chosen === "string" && Object.hasOwn(c["prompts"], chosen) ? c["prompts"][chosen] : undefined;
  if (typeof prompt !== "string") throw new FileError(name, `default_prompt_name ${JSON.stringify(chosen)} is not among its prompts`);
  return prompt;
}

interface Settings { name: string; c: Record<string, unknown> }

/** What config.json calls the architecture; undefined if it does not. */
export const readType = async (files: Files, base: string): Promise<unknown> => (await find(files, base, "config.json")).c["model_type"];

/** A JSON file of the transformer; empty if there is none. */
async function find(files: Files, base: string, file: string): Promise<Settings> {
  for (const name of places(base, file)) {
    const c = await files.settings(name);
    if (c !== undefined && !isObject(c)) throw new FileError(name, "want an object");
    if (c) return { name, c };
  }
  return { name: file, c: {} };
}

async function readLimits(files: Files, base: string): Promise<Pick<Folder, "lower" | "maxTokens" | "model">> {
  const [bert, tokens, config] = await Promise.all([
    find(files, base, "sentence_bert_config.json"), find(files, base, "tokenizer_config.json"), find(files, base, "config.json"),
  ]);
  const unlimited = 1e6;
  const most = bert.c["max_seq_length"] ?? undefined;
  // Some exports write 1e30 for "no limit".
  const model = tokens.c["model_max_length"];
  let maxTokens = DEFAULT_TOKENS;
  if (most !== undefined) {
    if (typeof most !== "number" || most < 1 || most > unlimited) {
      throw new FileError(bert.name, `max_seq_length is ${JSON.stringify(most)}: want 1 to ${unlimited}`);
    }
    maxTokens = Math.floor(most);
  } else if (typeof model === "number" && model >= 1 && model < unlimited) maxTokens = Math.floor(model);
  const positions = config.c["max_position_embeddings"];
  if (typeof positions === "number" && positions > 0) {
    let all = positions;
    if (["roberta", "xlm-roberta", "camembert", "mpnet"].includes(String(config.c["model_type"]))) {
      // These count positions from the one behind the padding's.
      const padding = config.c["pad_token_id"];
      all -= (typeof padding === "number" ? padding : 1) + 1;
    }
    if (all < 1) throw new FileError(config.name, `max_position_embeddings is ${positions}`);
    maxTokens = Math.min(maxTokens, all);
  }
  const { name } = config.c;
  return { lower: bert.c["do_lower_case"] === true, maxTokens, model: typeof name === "string" ? name : "" };
}

/** What the head of a model card says of languages: one, [some] or a list of lines. */
export function cardLanguages(card: string): string[] {
  const head = /^---\r?\n([\s\S]*?)\r?\n---/.exec(card)?.[1] ?? "";
  const found = /^languages?:[ \t]*(.*(?:\r?\n[ \t]*-[ \t].*)*)/m.exec(head)?.[1] ?? "";
  return found.match(/[A-Za-z][A-Za-z0-9-]*/g) ?? [];
}
