import { isProblem } from '../command/split-words.ts';
import { parseSecret, type Secret } from '../secrets/secret.ts';
import type { LoginReading } from './login.ts';

/** A secret that has to be given; one that stands there in clear is noted. */
export function readSecret(
  written: string | undefined,
  path: string,
  { findings, clear }: Pick<LoginReading, 'findings' | 'clear'>,
): Secret | undefined {
  const secret = parseSecret(written ?? '');
  if (isProblem(secret)) findings.problem(path, secret.problem);
  else if (secret.from === 'text' && secret.value === '') findings.problem(path, 'must be given');
  else if (secret.from === 'text') clear.found(path);
  return isProblem(secret) ? undefined : secret;
}
