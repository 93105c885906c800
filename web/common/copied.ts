// Copying from a summary that is shown as a text.

/** Selected text is copied with its numbers in brackets: "…closed. [2]". */
export function numberCopies(box: HTMLElement): void {
  box.addEventListener("copy", (event) => {
    const selection = getSelection();
    if (!event.clipboardData || !selection || selection.isCollapsed) return;
    const copied = document.createElement("div");
    for (let i = 0; i < selection.rangeCount; i++) copied.append(selection.getRangeAt(i).cloneContents());
    for (const sup of copied.querySelectorAll("sup")) sup.replaceWith(` [${sup.textContent}]`);
    for (const block of copied.querySelectorAll("p, li")) block.append("\n");
    event.clipboardData.setData("text/plain", copied.textContent!.trimEnd());
    event.preventDefault();
  });
}
