import { OperatorError } from '@fenestra/kernel';

/** Throws `USAGE` for a name that is no check's: a typo must not waive nothing in silence. */
export function requireCheckNames(names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new OperatorError('USAGE', `Cannot skip "${unknown}": there is no such check`, {
    hint: `There are ${known.join(', ')}.`,
  });
}
