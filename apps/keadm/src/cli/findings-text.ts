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

/** The warnings of checks, a line each, and the failures that were waived. */
export function warningLines(findings: readonly NamedFinding[], waived: readonly string[]): string {
  return findings
    .filter(({ name, verdict }) => verdict === 'warn' || (verdict === 'fail' && waived.includes(name)))
    .map(({ name, reason, remedy = '' }) => `  warn    ${name}: ${reason}. ${remedy}\n`)
    .join('');
}

/** Other remarks, a line each. */
export function noteLines(notes: readonly string[]): string {
  return notes.map((note) => `  note    ${note}\n`).join('');
}

/** What checks found, as data for programs. */
export function findingsData(findings: readonly NamedFinding[]): readonly object[] {
  return findings.map(({ name, verdict, reason, remedy }) => ({ name, verdict, reason, remedy }));
}

/** Rows as columns of equal width, two spaces apart; the first row is the head. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
