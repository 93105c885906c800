import { byId } from "../../../common/dom.ts";
import type { PrivacyParts } from "../privacy/panel.ts";
import { text as t } from "../strings.ts";
import type { Toast } from "./toast.ts";

/** The privacy line in the header, which opens the panel. The panel loads when first opened. */
export function mountPrivacy(ready: Promise<PrivacyParts>, toast: Toast): void {
  const button = byId<HTMLButtonElement>("privacy");
  let open = false;
  button.addEventListener("click", async () => {
    if (open) return;
    open = true;
    try {
      const { openPrivacy } = await import("../privacy/panel.ts");
      await openPrivacy(await ready);
      button.focus();
    } catch {
      toast.say(t.errors.part);
    } finally {
      open = false;
    }
  });
  // Reports problems while the panel is closed.
  void ready.then(({ keeping }) => keeping.addEventListener("change", () => {
    if (!open && (keeping.state === "elsewhere" || keeping.state === "full" || keeping.state === "refused")) toast.say(t.keep[keeping.state]);
  }), () => undefined);
}
