import type { RemoteAuth, RemoteTarget } from '@fenestra/platform';
import { shellWord } from './config-keywords.ts';

/** ssh shows no more of a key's path when it asks for the passphrase. */
const SHOWN_PATH_BYTES = 100;

/** A question of ssh that may be answered. */
export interface Question {
  /** How it begins. What follows may come from anyone. */
  readonly beginning: string;
  readonly secret: string;
}

/** The questions of ssh about a machine, which it calls by any of the names. */
export function questionsAbout({ auth, user }: RemoteTarget, names: readonly string[]): readonly Question[] {
  const accounts = names.map((name) => `${user}@${name}`);
  return auth.flatMap((way) => questionsFor(way, accounts));
}

/**
 * A program that prints the file that holds the answer. All else that is asked stays without one: programs that ssh starts
 * on the way ask here too, for machines, devices and consents that the secret is not meant for.
 */
export function askPassScript(answers: readonly { readonly beginning: string; readonly file: string }[]): string {
  const cases = answers.map(({ beginning, file }) => `  ${shellWord(beginning)}*) exec cat ${shellWord(file)} ;;`);
  return `#!/bin/sh\ncase "$1" in\n${cases.join('\n')}\nesac\nexit 1\n`;
}

function questionsFor(way: RemoteAuth, accounts: readonly string[]): readonly Question[] {
  switch (way.kind) {
    case 'agent':
      return [];
    case 'key':
      return way.passphrase === undefined ? [] : [{ beginning: askedFor(way.path), secret: way.passphrase }];
    case 'password':
      return accounts.map((account) => ({ beginning: `${account}'s password`, secret: way.password }));
    case 'keyboard-interactive':
      return accounts.map((account) => ({ beginning: `(${account}) `, secret: way.answer }));
  }
}

function askedFor(path: string): string {
  const bytes = Buffer.from(path);
  const isWhole = bytes.length <= SHOWN_PATH_BYTES;
  // A letter of several bytes may be cut in two.
  const shown = isWhole
    ? `${path}'`
    : bytes
        .subarray(0, SHOWN_PATH_BYTES)
        .toString()
        .replace(/\uFFFD+$/, '');
  return `Enter passphrase for key '${shown}`;
}
