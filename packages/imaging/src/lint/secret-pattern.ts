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
