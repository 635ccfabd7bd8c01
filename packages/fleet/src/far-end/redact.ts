const HIDDEN = '***';

/** The text without the secrets in it, as they are or as they stand in JSON. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .reduce((shown, secret) => shown.replaceAll(secret, HIDDEN).replaceAll(inJson(secret), HIDDEN), text);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The secrets in the words, found by what was hidden in the words that are shown; longest first. */
export function secretsOf(words: readonly string[], shown: readonly string[]): readonly string[] {
  const secrets = words.flatMap((word, index) => hiddenParts(word, shown[index] ?? HIDDEN));
  return [...new Set(secrets)].filter((secret) => secret !== '').toSorted((a, b) => b.length - a.length);
}

function hiddenParts(word: string, shown: string): readonly string[] {
  if (word === shown) return [];
  const pattern = shown.split(HIDDEN).map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  // Where two are hidden in a word, both ways to tell them apart count: too much is hidden rather than too little.
  const parts = ['(.*)', '(.*?)'].flatMap(
    (hole) => new RegExp(`^${pattern.join(hole)}$`, 's').exec(word)?.slice(1) ?? [],
  );
  return parts.length === 0 ? [word] : parts;
}
