// Runs before the first paint, so that a reader who chose light or dark sees
// no flash of the other. Where storage is refused the system's choice holds.
try {
  const theme = localStorage.getItem("cerasum-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {}
