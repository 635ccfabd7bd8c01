import { readFile } from 'node:fs/promises';
import { fileError, OperatorError } from '@fenestra/kernel';
import type { KeadmEnvironment } from '../platform.ts';
import type { JoinFlags } from './join-flags.ts';

/** The variable a token may come by. */
const TOKEN_VARIABLE = 'KEADM_TOKEN';
const STANDARD_INPUT = '-';

/** The join token, from wherever the operator has put it; `undefined` if nowhere. It is secret. */
export async function readToken(
  { variables, readInput, terminal }: Pick<KeadmEnvironment, 'variables' | 'readInput' | 'terminal'>,
  { token, tokenFile }: Pick<JoinFlags, 'token' | 'tokenFile'>,
): Promise<string | undefined> {
  if (token !== undefined && tokenFile !== undefined) throw onlyOne();
  if (tokenFile !== undefined) return readTokenFile(tokenFile);
  if (token === STANDARD_INPUT) return (await readInput()).trim();
  if (token !== undefined) {
    terminal.err(
      `Note: the process list shows a token given as a flag; "--token-file", "--token -" and ${TOKEN_VARIABLE} do not.\n`,
    );
  }
  return token ?? variables[TOKEN_VARIABLE];
}

async function readTokenFile(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw fileError(cause, `read the token in "${path}"`);
  });
  return text.trim();
}

function onlyOne(): OperatorError {
  return new OperatorError('USAGE', 'Cannot use two tokens', {
    hint: 'Give either "--token" or "--token-file".',
  });
}
