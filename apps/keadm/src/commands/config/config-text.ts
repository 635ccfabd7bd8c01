import type { ConfigChange, ConfigNote } from '@fenestra/contracts';

/** One line for each setting that differs: what it was, and what it is to be. */
export function changesText(changes: readonly ConfigChange[]): string {
  return changes.map(({ path, before, after }) => `  ${path}: ${valueText(before)} -> ${valueText(after)}`).join('\n');
}

/** One line for each thing that the file asks for and does not get. */
export function notesText(notes: readonly ConfigNote[]): string {
  return notes.map(({ path, reason }) => `  note: ${path}: ${reason}`).join('\n');
}

/** What has to be said of a change besides its settings. */
export function restartText(restartKeys: readonly string[]): string {
  return restartKeys.length === 0 ? '' : `Requires a restart of the agent: ${restartKeys.join(', ')}`;
}

/** Several parts below each other, without those that say nothing. */
export function joinLines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}

function valueText(value: unknown): string {
  return value === undefined ? '(not set)' : JSON.stringify(value);
}
