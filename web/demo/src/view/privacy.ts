import type { Documents } from "../documents.ts";
import { byId } from "../../../common/dom.ts";
import type { Keeping } from "../keeping.ts";
import type { LoadedFiles } from "../loaded.ts";
import type { Offline } from "../offline.ts";
import { text as t } from "../strings.ts";
import type { Toast } from "./toast.ts";

/** What the panel tells of and changes. */
export interface PrivacyParts {
  loaded: LoadedFiles;
  offline: Offline;
  keeping: Keeping;
  documents: Documents;
}

/** The line in the header, which opens the proof of what it says. The panel loads when it is first opened. */
export function mountPrivacy(parts: PrivacyParts, toast: Toast): void {
  const button = byId<HTMLButtonElement>("privacy");
  let open = false;
  button.addEventListener("click", async () => {
    if (open) return;
    open = true;
    try {
      const { openPrivacy } = await import("../privacy/panel.ts");
      await openPrivacy(parts);
      button.focus();
    } catch {
      toast.say(t.errors.part);
    } finally {
      open = false;
    }
  });
  // What goes wrong while the panel is closed.
  const { keeping } = parts;
  keeping.addEventListener("change", () => {
    if (!open && (keeping.state === "elsewhere" || keeping.state === "full" || keeping.state === "refused")) toast.say(t.keep[keeping.state]);
  });
}
