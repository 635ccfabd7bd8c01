/** What a keadm command is given, with secrets apart from words that anyone may see. */
export interface CommandWords {
  readonly argv: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** The command that the words name, for people. */
export function commandName([first = '', second = '']: readonly string[]): string {
  return first === 'kube' ? `${first} ${second}` : first;
}

/** The words as keadm gets them on a node: JSON output, no question, the token in a variable. */
export function commandWords(argv: readonly string[], unattended: readonly string[] = []): CommandWords {
  const [name] = argv;
  const { words, value: token } = name === 'join' ? takeFlag(argv, ['--token', '-t']) : { words: argv };
  return {
    argv: [
      ...takeFlag(words, ['--output', '-o']).words,
      ...unattended.filter((word) => !words.includes(word)),
      '--output',
      'json',
    ],
    variables: token === undefined ? {} : { KEADM_TOKEN: token },
  };
}

function takeFlag(
  words: readonly string[],
  names: readonly string[],
): { readonly words: readonly string[]; readonly value?: string } {
  const joined = words.findIndex((word) => names.some((name) => word.startsWith(`${name}=`)));
  const [, value] = /^[^=]+=(.*)$/s.exec(words[joined] ?? '') ?? [];
  if (value !== undefined) return { words: words.toSpliced(joined, 1), value };
  const apart = words.findIndex((word) => names.includes(word));
  const next = apart === -1 ? undefined : words[apart + 1];
  return next === undefined ? { words } : { words: words.toSpliced(apart, 2), value: next };
}
