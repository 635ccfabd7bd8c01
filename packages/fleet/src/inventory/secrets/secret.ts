import { isProblem, splitText, type Problem } from '../command/split-words.ts';

/** Where a secret comes from. */
export type Secret =
  | { readonly from: 'env'; readonly name: string }
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'command'; readonly words: readonly string[] }
  /** It stands in the file itself. */
  | { readonly from: 'text'; readonly value: string };

/** Reads `env:NAME`, `file:PATH`, `command:WORDS`, or a text, which `clear:` may introduce. */
export function parseSecret(written: string): Secret | Problem {
  const [, from, rest = ''] = /^(env|file|command|clear):(.*)$/s.exec(written) ?? [];
  switch (from) {
    case 'env':
      return ENVIRONMENT_NAME.test(rest)
        ? { from, name: rest }
        : { problem: 'names no environment variable: write "env:NAME"' };
    case 'file':
      return rest === '' ? { problem: 'names no file: write "file:PATH"' } : { from, path: rest };
    case 'command':
      return commandSecret(rest);
    case 'clear':
      return { from: 'text', value: rest };
    case undefined:
    default:
      return { from: 'text', value: written };
  }
}

const ENVIRONMENT_NAME = /^[A-Za-z_]\w*$/;

function commandSecret(rest: string): Secret | Problem {
  const words = splitText(rest);
  if (isProblem(words)) return words;
  return words.length === 0
    ? { problem: 'names no command: write "command:PROGRAM ARGUMENT …"' }
    : { from: 'command', words };
}

/** Whether what goes by this name is to be hidden: a wildcard, or a flag of a command. */
export function isSecretName(name: string): boolean {
  return /token|passw(or)?d|passphrase|secret|api-?key/i.test(name) && !/[-_]?(file|path|stdin|dir)$/i.test(name);
}
