// A reporter for node --test: each result of a test as a line of JSON, what tests print as it is.
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
      // A suite fails where one of its tests does.
      error: type === "test:fail" && error?.failureType !== "subtestsFailed" ? String(cause?.stack ?? cause) : undefined,
    })}\n`;
  }
}
