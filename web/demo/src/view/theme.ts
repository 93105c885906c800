import { byId } from "../dom.ts";

/** The button that turns between light and dark. Until it is used the system's choice holds. */
export function mountTheme(): void {
  const button = byId("theme");
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset["theme"] ? root.dataset["theme"] === "dark" : system.matches);
  const show = () => button.setAttribute("aria-pressed", String(isDark()));
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    root.dataset["theme"] = theme;
    try {
      localStorage.setItem("cerasum-theme", theme);
    } catch {
      // Storage is refused: the choice lasts as long as the page.
    }
    show();
  });
  system.addEventListener("change", show);
  show();
}
