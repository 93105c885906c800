import { byId } from "../../../common/dom.ts";

/** The button that switches between light and dark. Until then the system's setting applies. */
export function mountTheme(chosen: (theme: string) => void): void {
  const button = byId("theme");
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset["theme"] ? root.dataset["theme"] === "dark" : system.matches);
  const show = () => button.setAttribute("aria-pressed", String(isDark()));
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    root.dataset["theme"] = theme;
    chosen(theme);
    show();
  });
  system.addEventListener("change", show);
  show();
}
