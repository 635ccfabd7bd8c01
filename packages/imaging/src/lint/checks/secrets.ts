import { type Entry, memberOf } from '../../cloudbase/cloud-config/entry.ts';
import { decodeContent, runcmdLine } from '../../cloudbase/file-content.ts';
import { lineFinder, type PlacedText } from '../../cloudbase/placed-text.ts';
import { type Finding, found, type LintContext } from '../finding.ts';

/** A secret that was seen; never what it is. */
export interface SeenSecret {
  readonly what: string;
  /** Where in the text. */
  readonly offset: number;
}

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w.-])[a-z0-9]{6}\.[a-z0-9]{16}(?![\w.-])/g, 'a bootstrap token'],
  [/(?<![\w.-])[a-f0-9]{64}\.eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'a join token'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----/g, 'a private key'],
  [/(?<![A-Z0-9])A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Z0-9])/g, 'an access key of AWS'],
  [/"?aadClientSecret"?\s*[:=]\s*"?[^\s"]+/g, 'a client secret of Azure'],
  [/\bnet1?(?:\.exe)?[\t ]+user[\t ]+(?:"[^"\n]+"|[^\s"/]+)[\t ]+"?(?![\s"/$%*])/gi, 'a password'],
  [/\$\w*passw(?:or)?d\w*[\t ]*=[\t ]*(?:"[^"$\n]+"|'[^'\n]+')/gi, 'a password'],
  [/\bConvertTo-SecureString[\t ]+(?:-String[\t ]+)?(?:"[^"$\n]+"|'[^'\n]+')/gi, 'a password'],
];

/** Long enough for a token, and for hardly any word. */
const BASE64 = /[A-Za-z0-9+/]{24,}={0,2}/g;

/** What looks like a secret in a text, also where it is written in base64. */
export function seenSecrets(text: string): readonly SeenSecret[] {
  const plain = seenPlainly(text);
  const encoded = [...text.matchAll(BASE64)].flatMap(({ 0: letters, index }) =>
    seenPlainly(Buffer.from(letters, 'base64').toString('latin1')).map(({ what }) => ({ what, offset: index })),
  );
  return [...plain, ...encoded];
}

function seenPlainly(text: string): readonly SeenSecret[] {
  return PATTERNS.flatMap(([pattern, what]) =>
    [...text.matchAll(pattern)].map(({ index }) => ({ what, offset: index })),
  );
}

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

/** A file with a secret in it that no command removes. */
export function checkWrittenSecrets(file: Entry, commands: readonly Entry[]): readonly Finding[] {
  const [path, content, encoding] = ['path', 'content', 'encoding'].map((key) => memberOf(file, key)?.value);
  if (typeof path !== 'string' || typeof content !== 'string') return [];
  const { bytes } = decodeContent(content, typeof encoding === 'string' ? encoding : undefined);
  const [secret] = seenSecrets(bytes.toString('latin1'));
  if (secret === undefined || commands.some(({ value }) => removes(runcmdLine(value) ?? '', path))) return [];
  return [found('secret-left-behind', file, `${secret.what} stays in "${path}", where every user can read it`)];
}

/** By its last name: paths have many spellings. */
function removes(command: string, path: string): boolean {
  const name = path.split(/[\\/]/).at(-1) ?? path;
  return /\b(?:del|erase|rd|rmdir|remove-item)\b/i.test(command) && command.includes(name);
}
