import { OperatorError } from '@fenestra/kernel';
import { MACHINE_CHECKS } from './judge-machine.ts';

/** Every check before a join, each of which can be waived. */
export const JOIN_CHECKS: readonly string[] = [...MACHINE_CHECKS, 'cloud', 'token', 'clock', 'node-name'];

/** Throws `USAGE` for a name that is no check's: a typo must not waive nothing in silence. */
export function requireCheckNames(names: readonly string[]): void {
  const unknown = names.find((name) => !JOIN_CHECKS.includes(name));
  if (unknown === undefined) return;
  throw new OperatorError('USAGE', `Cannot skip "${unknown}": there is no such check`, {
    hint: `There are ${JOIN_CHECKS.join(', ')}.`,
  });
}
