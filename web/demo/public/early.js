// Runs before the first paint, so that nobody sees a flash of other colours or
// of another language: what the reader chose, if they let the page keep it,
// else what the browser says. Where storage is refused the browser's word holds.
{
  const root = document.documentElement;
  let kept = () => null;
  try {
    const { localStorage } = window;
    if (localStorage.getItem("cerasum-keep") === "on") kept = (name) => localStorage.getItem(name);
  } catch {}
  // Documents are on their way: see src/keeping.ts.
  root.toggleAttribute("data-restoring", kept("cerasum-keep") === "on");
  const theme = kept("cerasum-theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const spoken = ["en", "es", "fr", "pt"];
  const preferred = [kept("cerasum-language") ?? "", ...navigator.languages].map((tag) => tag.split("-")[0].toLowerCase());
  root.dataset.language = preferred.find((language) => spoken.includes(language)) ?? "en";
  // index.html is written in English: another language is shown once it is there.
  root.toggleAttribute("data-waiting", root.dataset.language !== "en");
}
