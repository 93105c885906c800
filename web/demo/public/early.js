// Runs before the first paint, to avoid a flash of another theme or language. Uses
// the reader's choice if it is stored, otherwise the browser's settings.
{
  const root = document.documentElement;
  let kept = () => null;
  try {
    const { localStorage } = window;
    if (localStorage.getItem("cerasum-keep") === "on") kept = (name) => localStorage.getItem(name);
  } catch {}
  // Stored documents will be restored: see src/keeping.ts.
  root.toggleAttribute("data-restoring", kept("cerasum-keep") === "on");
  const theme = kept("cerasum-theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const spoken = ["de", "en", "es", "fr", "it", "pt"];
  const preferred = [kept("cerasum-language") ?? "", ...navigator.languages].map((tag) => tag.split("-")[0].toLowerCase());
  root.dataset.language = preferred.find((language) => spoken.includes(language)) ?? "en";
  // index.html is in English: wait for another language before showing the page.
  root.toggleAttribute("data-waiting", root.dataset.language !== "en");
}
