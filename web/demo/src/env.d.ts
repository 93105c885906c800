declare module "virtual:samples" {
  /** The samples in the order in which they are offered; `language` is "mul" where a sample mixes several. */
  const samples: { name: string; title: string; language: string; documents: number }[];
  export default samples;
}
