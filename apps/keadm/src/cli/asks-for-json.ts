/**
 * Whether a command line asks for JSON, read from its words: one that cannot be parsed is answered in this form, too.
 * The last form given counts, as in the parser; what follows "--" is no option.
 */
export function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const words = end === -1 ? args : args.slice(0, end);
  return words.flatMap((word, index) => formAt(words, index, word)).at(-1) === 'json';
}

function formAt(words: readonly string[], index: number, word: string): readonly string[] {
  const attached = /^(?:--output=|-o)(.+)$/s.exec(word)?.[1];
  if (attached !== undefined) return [attached];
  const next = words[index + 1];
  return (word === '--output' || word === '-o') && next !== undefined ? [next] : [];
}
