import { lineFinder, type PlacedText } from '../../cloudbase/placed-text.ts';
import type { LintContext } from '../context.ts';
import { found, type Finding } from '../finding.ts';
import { seenSecrets } from '../secret-pattern.ts';

/** Secrets in the document as everybody can read it. One finding for a line. */
export function checkSecrets(document: PlacedText, { service }: LintContext): readonly Finding[] {
  const lineOf = lineFinder(document.text);
  const seen = seenSecrets(document.text).map(({ what, offset }) => ({
    what,
    line: document.lineAt(lineOf(offset)),
  }));
  const first = seen.filter(({ line }, index) => seen.findIndex((other) => other.line === line) === index);
  // Where there is no store, a secret that soon expires is the best there is.
  const severity = service?.hasSecretStore === false ? 'note' : 'warning';
  return first.map(({ what, line }) => found('secret-in-user-data', { line }, `${what} can be read here`, severity));
}
