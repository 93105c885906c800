// Exports text as a file or through the clipboard.

/** Offers text to the reader as a file. */
export function download(content: string, fileName: string, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  // After the click has been handled, the browser holds the blob itself.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Copies text; false if the browser refuses. */
export async function copy(content: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(content);
    return true;
  } catch {
    // No clipboard outside secure contexts: copy a selection instead.
    const area = document.createElement("textarea");
    area.value = content;
    area.className = "offscreen";
    const focused = document.activeElement as HTMLElement | null;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    focused?.focus();
    return done;
  }
}
