import { byId, put } from "../../../common/dom.ts";
import { isOwn, loadedFor } from "../loaded.ts";
import type { PrivacyParts } from "../privacy/panel.ts";
import { spoken, text as t } from "../strings.ts";
import type { Toast } from "./toast.ts";

/** The privacy line in the header and what was loaded in the footer, which open the panel. The panel loads when first opened. */
export function mountPrivacy(ready: Promise<PrivacyParts>, toast: Toast): void {
  const footer = byId("loaded");
  let open = false;
  for (const button of [byId("privacy"), footer]) button.addEventListener("click", async () => {
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
  void ready.then(({ loaded, offline }) => {
    const render = () => {
      // Too frequent while a download is running.
      if (offline.running) return;
      const own = loadedFor(loaded, offline.parts).filter(isOwn);
      put(footer, {}, t.loaded(own.length, own.reduce((n, { bytes }) => n + bytes, 0)));
    };
    for (const source of [loaded, offline, spoken]) source.addEventListener("change", render);
    render();
  }, () => undefined);
  // Reports problems while the panel is closed.
  void ready.then(({ keeping }) => keeping.addEventListener("change", () => {
    if (!open && (keeping.state === "elsewhere" || keeping.state === "full" || keeping.state === "refused")) toast.say(t.keep[keeping.state]);
  }), () => undefined);
}
