import { OperatorError } from '@fenestra/kernel';

/** One wish as it is typed after `--set`: `modules.edgeHub.heartbeat=20`. */
export interface Assignment {
  readonly path: string;
  /** As typed: quotes and braces are still there, since what they mean depends on the field. */
  readonly value: string;
}

/** Reads one `path=value`. The value may hold anything, `=` and `,` too. */
export function parseAssignment(text: string): Assignment {
  const equals = text.indexOf('=');
  const path = text.slice(0, Math.max(0, equals)).trim();
  if (path !== '') return { path, value: text.slice(equals + 1).trim() };
  // What was typed is not shown: it may be a secret.
  throw new OperatorError('USAGE', 'Cannot set a value: it is not of the form "path=value"', {
    hint: 'Write it like "modules.edgeHub.heartbeat=20".',
  });
}

/**
 * The parts of upstream's list `a=1,b={x,y},c="p,q"`, without those that are empty: a comma inside braces or quotes
 * separates nothing.
 */
export function splitByComma(text: string): readonly string[] {
  const parts = [''];
  let closing: string | undefined;
  for (const character of text) {
    const separates = character === ',' && closing === undefined;
    if (character === closing) closing = undefined;
    else closing ??= CLOSING[character];
    if (separates) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${character}`);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '"': '"', "'": "'" };
