import type { PreflightFinding } from '@fenestra/session';

/** The checks' warnings, a line each, and what a waiver lets pass. */
export function warningLines(findings: readonly PreflightFinding[], waived: readonly string[]): string {
  return findings
    .filter(({ name, verdict }) => verdict === 'warn' || (verdict === 'fail' && waived.includes(name)))
    .map(({ name, reason, remedy = '' }) => `  warn    ${name}: ${reason}. ${remedy}\n`)
    .join('');
}

/** What else is odd, a line each. */
export function noteLines(notes: readonly string[]): string {
  return notes.map((note) => `  note    ${note}\n`).join('');
}

/** The checks as data for programs. */
export function checksData(findings: readonly PreflightFinding[]): readonly object[] {
  return findings.map(({ name, verdict, reason, remedy }) => ({ name, verdict, reason, remedy }));
}
