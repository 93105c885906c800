/**
 * The files of the shipped encoder, models/encoder, with which a test compares
 * this. A page that knew them not would ask for some that are not there.
 */
export const shippedFiles = [
  "README.md", "config.json", "model.onnx", "modules.json", "sentence_bert_config.json", "tokenizer.json", "tokenizer_config.json",
] as const;
