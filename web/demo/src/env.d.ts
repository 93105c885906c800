declare module "virtual:samples" {
  /** The samples in display order; `language` is "mul" where a sample mixes several. */
  const samples: { name: string; title: string; language: string; documents: number }[];
  export default samples;
}

declare module "virtual:weights" {
  /** The weights that come with the page, the ones that a method takes by itself first. */
  const weights: { name: string; method: string; licence: string; free: boolean }[];
  export default weights;
}

declare module "virtual:elsewhere" {
  /** Origins that documents may be fetched from, as the policy names them; none unless the page was built so. */
  export const elsewhere: string[];
}

declare module "virtual:encoder" {
  /** Of the encoder that comes with the page; 0 where it was built without one. */
  export const shippedBytes: number;
  /** Address of a model hub, which may count from the page; undefined where the page has none. */
  export const hub: string | undefined;
}
