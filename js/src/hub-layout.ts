// The files of a sentence-transformers export. Same as layout.go of the command
// line program's hub: both are tested with models/testdata/layout.json.

/** A required or optional file of a model. */
export interface Want {
  /** Its possible paths in the repository; the first that exists is used. */
  paths: string[];
  /** Where to store it, if not at the same path. */
  save?: string;
  required?: boolean;
}

/**
 * Lists the files, small ones first. modules is the content of modules.json,
 * undefined if there is none. variant selects another file for the model: a path
 * (onnx/model_quantized.onnx) or the part after onnx/model_.
 * Throws an Error whose message begins with modules.json or variant.
 */
export function layout(modules: unknown, variant = ""): Want[] {
  const { root, more } = modules === undefined ? { root: "", more: [] } : readModules(modules);
  const within = (name: string): string => join(root, name);
  const above = (name: string): string[] => (root === "" ? [] : [name]);
  let model: Want = {
    paths: [within("onnx/model.onnx"), within("model.onnx"), ...above("onnx/model.onnx"), ...above("model.onnx")],
    required: true,
  };
  if (variant !== "") {
    const path = variantPath(variant);
    if (!inside(path)) throw new Error(`variant: want a path inside the model's folder, got ${JSON.stringify(variant)}`);
    model = { paths: [path], save: within("onnx/model.onnx"), required: true };
  }
  return [
    { paths: [within("config.json")] },
    { paths: [within("sentence_bert_config.json")] },
    { paths: ["config_sentence_transformers.json"] },
    { paths: [within("tokenizer_config.json")] },
    { paths: ["README.md"] },
    ...more,
    { paths: [within("tokenizer.json"), ...above("tokenizer.json")], required: true },
    model,
  ];
}

/** The path of a variant of the model in its repository. */
export const variantPath = (variant: string): string =>
  variant === "" || variant.endsWith(".onnx") ? variant : `onnx/model_${variant}.onnx`;

function readModules(modules: unknown): { root: string; more: Want[] } {
  if (!Array.isArray(modules)) throw new Error("modules.json: want a list of modules");
  let root: string | undefined;
  const more: Want[] = [];
  for (const [i, module] of modules.entries()) {
    const { path = "", type = "" } = (module ?? {}) as { path?: unknown; type?: unknown };
    if (typeof path !== "string" || typeof type !== "string") throw new Error("modules.json: want a list of modules");
    if (path !== "" && !inside(path)) {
      throw new Error(`modules.json: modules[${i}].path: want a path inside the model's folder, got ${JSON.stringify(path)}`);
    }
    const need = (name: string): void => {
      more.push({ paths: [join(path, name)], required: true });
    };
    switch (type.slice(type.lastIndexOf(".") + 1)) {
      case "Transformer":
        if (root !== undefined) throw new Error(`modules.json: modules[${i}].type: a second Transformer`);
        root = path;
        break;
      case "Pooling":
        need("config.json");
        break;
      case "Dense":
        need("config.json");
        need("model.safetensors");
        break;
      case "Normalize":
        break;
      default:
        throw new Error(`modules.json: modules[${i}].type: ${JSON.stringify(type)} is not supported: want Transformer, Pooling, Dense or Normalize`);
    }
  }
  if (root === undefined) throw new Error("modules.json: no Transformer module");
  return { root, more };
}

/** Whether a path with slashes stays inside its folder, on every system. */
export const inside = (path: string): boolean =>
  !/[\\:*?"<>|\u0000-\u001f\u007f]/.test(path) && path.split("/").every((part) => part !== "" && !part.startsWith(".") && !/[. ]$/.test(part));

const join = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);

/** The message for a file that a repository or folder lacks. */
export function missing(want: Want, where: string): string {
  const [path] = want.paths as [string];
  if (path.endsWith("tokenizer.json")) return `${where} has no tokenizer.json`;
  if (want.save !== undefined) return `${where} has no variant ${path}`;
  if (path.endsWith(".onnx")) return `${where} has no ONNX export (${want.paths.join(" or ")})`;
  return `${where} has no ${path}, which its modules.json needs`;
}
