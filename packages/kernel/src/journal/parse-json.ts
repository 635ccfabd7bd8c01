/** What the text says, or `undefined` if it is not JSON: for files that a crash may have damaged. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
