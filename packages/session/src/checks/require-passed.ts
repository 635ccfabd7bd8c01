import { OperatorError } from '@fenestra/kernel';
import type { PreflightFinding } from './preflight-finding.ts';

/**
 * Throws if a check failed that was not waived: the one failure's own error if it has one, else `CHECKS_FAILED` with
 * all failures and their remedies. `action` is what they stand in the way of.
 */
export function requirePassed(findings: readonly PreflightFinding[], waived: readonly string[], action = 'join'): void {
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
      hint: `Fix the problems above, then run the command again${wayRound(failures)}.`,
      details: { failed: failures.map(({ name }) => name).join(', ') },
    },
  );
}

function wayRound([first, ...others]: readonly PreflightFinding[]): string {
  if (first === undefined || [first, ...others].some(({ binding }) => binding === true)) return '';
  return `; "--skip-check ${first.name}" continues anyway`;
}
