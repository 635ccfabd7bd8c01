import type { NamedFinding, Verdict } from '@fenestra/session';

const MARKS: Readonly<Record<Verdict, string>> = { pass: 'ok  ', warn: 'warn', fail: 'FAIL', skip: 'skip' };

/** What checks found, a line each, with what to do about it below, and a count at the end. */
export function findingsText(findings: readonly NamedFinding[]): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const lines = findings.flatMap(({ name, verdict, reason, remedy }) => [
    `${MARKS[verdict]}  ${name.padEnd(width)}  ${reason}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(width + 8)}-> ${remedy}`]),
  ]);
  const count = (wanted: Verdict): number => findings.filter(({ verdict }) => verdict === wanted).length;
  return [...lines, '', `${findings.length} checks: ${count('fail')} failed, ${count('warn')} warnings`].join('\n');
}
