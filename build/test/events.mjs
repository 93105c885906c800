// A reporter for node --test: one line of JSON per result; output of tests is passed through.
export default async function* events(source) {
  for await (const { type, data } of source) {
    if (type === "test:stdout" || type === "test:stderr") yield data.message;
    if (type === "test:diagnostic") yield `# ${data.message}\n`;
    if (type !== "test:pass" && type !== "test:fail") continue;
    const { name, nesting, skip, details } = data;
    const { error } = details;
    const cause = error?.cause ?? error;
    yield `${JSON.stringify({
      type, name, nesting, skip,
      suite: details.type === "suite",
      ms: Math.round(details.duration_ms),
      // A suite fails if one of its tests does.
      error: type === "test:fail" && error?.failureType !== "subtestsFailed" ? String(cause?.stack ?? cause) : undefined,
    })}\n`;
  }
}
