const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '%': '%%',
};

const PLAIN: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Writes words so that systemd splits them into the same words again, with specifiers (`%n`) kept from expanding. */
export function quoteWords(words: readonly string[]): string {
  return words.map((word) => `"${escapeWord(word)}"`).join(' ');
}

/** Writes a command line for `ExecStart=`, where `$` in the arguments would be expanded as well. */
export function quoteCommand(executable: string, args: readonly string[]): string {
  return [quoteWords([executable]), ...args.map((arg) => quoteWords([arg]).replaceAll('$', '$$$$'))].join(' ');
}

/** Reads back what `quoteWords` has written, and the usual forms that people write manually. */
export function parseWords(text: string): readonly string[] {
  const words = text.matchAll(/(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\\.|[^\s"'\\])+/gs);
  return [...words].map(([word]) => unescapeWord(word));
}

/** Reads back what `quoteCommand` has written. */
export function parseCommand(text: string): { readonly executable: string; readonly args: readonly string[] } {
  const [executable = '', ...args] = parseWords(text);
  // The prefixes that change how systemd starts the program, such as "-" for "failure does not matter".
  const path = executable.replace(/^[-@:+!|]+(?=\/)/, '');
  return { executable: path, args: args.map((arg) => arg.replaceAll('$$', '$')) };
}

function escapeWord(word: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what has to be escaped
  return word.replaceAll(/["\\%\u0000-\u001f\u007f]/g, (character) => ESCAPES[character] ?? hexadecimal(character));
}

function hexadecimal(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

function unescapeWord(word: string): string {
  const unquoted = word.replaceAll(
    /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/gs,
    (_, double?: string, single?: string) => double ?? single ?? '',
  );
  const plain = unquoted.replaceAll(/\\(?:x([0-9a-f]{2})|(.))/gs, (_, code?: string, character?: string) =>
    code === undefined ? (PLAIN[character ?? ''] ?? character ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  );
  return plain.replaceAll('%%', '%');
}
