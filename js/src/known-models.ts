// The models of the hub with a short name. A test compares them with
// models/known.json.

/** A model of the hub with a short name. */
export interface KnownModel {
  name: string;
  id: string;
  /** A commit of the hub. */
  revision: string;
  licence: string;
  dimensions: number;
  maxTokens: number;
  languages: string;
  /** Must precede each text; some models are trained that way. */
  prefix: string;
  /** Its large files. Without a sha256 the bytes are an estimate. */
  files: readonly { path: string; bytes: number; sha256?: string }[];
}

export const knownModels: readonly KnownModel[] = [
  {
    name: "distiluse",
    id: "sentence-transformers/distiluse-base-multilingual-cased-v2",
    revision: "bfe45d0732ca50787611c0fe107ba278c7f3f889",
    licence: "Apache-2.0",
    dimensions: 512,
    maxTokens: 128,
    languages: "over 50 languages",
    prefix: "",
    files: [
      { path: "onnx/model.onnx", bytes: 539049415 },
      { path: "2_Dense/model.safetensors", bytes: 1575104, sha256: "0a21b1ce908e772ebf09f93c20ca09524c32706e9918d9c0169a3f0663b191ed" },
    ],
  },
  {
    name: "multilingual-minilm",
    id: "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
    revision: "e8f8c211226b894fcb81acc59f3b34ba3efd5f42",
    licence: "Apache-2.0",
    dimensions: 384,
    maxTokens: 128,
    languages: "over 50 languages",
    prefix: "",
    files: [
      { path: "onnx/model.onnx", bytes: 470000000 },
    ],
  },
  {
    name: "minilm",
    id: "sentence-transformers/all-MiniLM-L6-v2",
    revision: "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
    licence: "Apache-2.0",
    dimensions: 384,
    maxTokens: 256,
    languages: "English",
    prefix: "",
    files: [
      { path: "onnx/model.onnx", bytes: 90405214, sha256: "6fd5d72fe4589f189f8ebc006442dbb529bb7ce38f8082112682524616046452" },
      { path: "tokenizer.json", bytes: 466247, sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037" },
    ],
  },
  {
    name: "multilingual-e5-small",
    id: "intfloat/multilingual-e5-small",
    revision: "614241f622f53c4eeff9890bdc4f31cfecc418b3",
    licence: "MIT",
    dimensions: 384,
    maxTokens: 512,
    languages: "about 100 languages",
    prefix: "query: ",
    files: [
      { path: "onnx/model.onnx", bytes: 470268510, sha256: "ca456c06b3a9505ddfd9131408916dd79290368331e7d76bb621f1cba6bc8665" },
      { path: "tokenizer.json", bytes: 17082730, sha256: "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39" },
    ],
  },
];
