import type { ServerResponse } from 'node:http';

const MAX_WARNINGS = 20;
// Node's own client refuses headers over 16 kB in all.
const MAX_CHARACTERS = 256;

/** Adds warnings to an answer, as kubectl prints them. Only the first twenty fit. */
export function addWarnings(response: ServerResponse, texts: readonly string[]): void {
  const present = response.getHeader('Warning');
  const before = Array.isArray(present) ? present : [];
  const added = texts.map((text) => `299 - "${quotable(text.slice(0, MAX_CHARACTERS))}"`);
  const all = [...new Set([...before, ...added])].slice(0, MAX_WARNINGS);
  if (all.length > 0) response.setHeader('Warning', all);
}

/** Text that a quoted part of a header can hold. */
function quotable(text: string): string {
  return text.replaceAll(/[^ -~]/g, '?').replaceAll(/["\\]/g, String.raw`\$&`);
}
