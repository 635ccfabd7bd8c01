import { OperatorError } from '@fenestra/kernel';
import type { NamedCheck, NamedFinding } from './check.ts';

/** Names that checks had in earlier versions, as scripts have them. */
const FORMER_NAMES: ReadonlyMap<string, string> = new Map([
  ['existing-node', 'node-name'],
  ['host-name', 'node-name'],
  ['port-10250', 'ports'],
  ['runtime', 'container-runtime'],
  ['system', 'os-version'],
  ['time', 'clock'],
]);

/** The checks of these names. Throws `USAGE` for an unknown name, because a typo must not waive nothing in silence. */
export function requireCheckNames(names: readonly string[], checks: readonly NamedCheck[]): readonly string[] {
  const known = checks.map(({ name }) => name);
  return names.map((name) => {
    const current = known.includes(name) ? name : FORMER_NAMES.get(name);
    if (current !== undefined && known.includes(current)) return current;
    throw new OperatorError('USAGE', `Cannot skip "${name}": there is no such check`, {
      hint: `There are ${known.join(', ')}.`,
    });
  });
}

/**
 * Throws if a check failed that was not waived: the one failure's own error if it has one, else `CHECKS_FAILED` with
 * all failures and their remedies. `action` is what they stand in the way of.
 */
export function requirePassed(findings: readonly NamedFinding[], waived: readonly string[], action = 'join'): void {
  const failures = findings.filter(
    ({ name, verdict, binding }) => verdict === 'fail' && (binding === true || !waived.includes(name)),
  );
  const [first, ...others] = failures;
  if (first === undefined) return;
  if (others.length === 0 && first.error !== undefined) throw first.error;
  const lines = failures.map(({ name, reason, remedy = '' }) => `  ${name}: ${reason}\n    -> ${remedy}`);
  throw new OperatorError(
    'CHECKS_FAILED',
    [`Cannot ${action}: ${failures.length} check(s) failed`, ...lines].join('\n'),
    {
      hint: `Fix the problems above, then run the command again${waiverHint(failures)}.`,
      details: { failed: failures.map(({ name }) => name).join(', ') },
    },
  );
}

function waiverHint([first, ...others]: readonly NamedFinding[]): string {
  if (first === undefined || [first, ...others].some(({ binding }) => binding === true)) return '';
  return `; "--skip-check ${first.name}" continues anyway`;
}
