import { lineFinder, type PlacedText } from '../../cloudbase/placed-text.ts';
import type { LintContext } from '../context.ts';
import { found, type Finding } from '../finding.ts';
import { seenSecrets } from '../secret-pattern.ts';

/** Secrets in the document as everybody can read it. One finding for a line. */
export function checkSecrets(document: PlacedText, { service }: LintContext): readonly Finding[] {
  const lineOf = lineFinder(document.text);
  const first = new Map<number, string>();
  for (const { what, offset } of seenSecrets(document.text)) {
    const line = document.lineAt(lineOf(offset));
    if (!first.has(line)) first.set(line, what);
  }
  // Where there is no store, a secret that soon expires is the best there is.
  const severity = service?.hasSecretStore === false ? 'note' : 'warning';
  return [...first].map(([line, what]) => found('secret-in-user-data', { line }, `${what} can be read here`, severity));
}
