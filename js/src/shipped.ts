/**
 * The files of the shipped encoder. A test compares them with models/encoder.
 * Without the list, a page would request optional files that do not exist.
 */
export const shippedFiles = [
  "README.md", "config.json", "model.onnx", "modules.json", "sentence_bert_config.json", "tokenizer.json", "tokenizer_config.json",
] as const;
