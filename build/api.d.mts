/** The text of js/api.md, from js/dist. */
export function report(): string;
