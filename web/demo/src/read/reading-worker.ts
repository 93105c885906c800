// The Worker that reads files: src/read/reader.ts ends it if that takes too long.

import { type Content, type File, contentOf } from "./content.ts";

export interface Request {
  id: number;
  file: File;
}

export type Reply = { id: number; progress: number } | { id: number; content: Content };

addEventListener("message", ({ data: { id, file } }: MessageEvent<Request>) => {
  const send = (reply: Reply): void => postMessage(reply);
  void contentOf(file, (progress) => send({ id, progress })).catch((): Content => ({ problem: "noReader" })).then((content) => send({ id, content }));
});
