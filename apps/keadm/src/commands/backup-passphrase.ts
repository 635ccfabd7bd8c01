import { resolve } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import { PASSPHRASE } from '@fenestra/steps';
import type { Secrets } from '@fenestra/session';
import type { Option } from 'commander';
import { readText } from '@fenestra/platform';
import { InputOption } from './input-option.ts';

const VARIABLE = 'KEADM_PASSPHRASE';

/** Where a passphrase comes from. There is no flag for itself, since everybody can read a command line. */
export interface PassphraseFlag {
  readonly passphraseFile?: string;
}

/** `--passphrase-file FILE` */
export function passphraseOption(description: string): Option {
  return new InputOption('--passphrase-file <file>', description).argParser((path) => resolve(path));
}

/** The passphrase in the file that was named, or else in the environment, or none. */
export async function findPassphrase(
  { passphraseFile }: PassphraseFlag,
  variables: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (passphraseFile === undefined) return variables[VARIABLE] || undefined;
  const text = await readText(passphraseFile, `the passphrase in "${passphraseFile}"`);
  // Editors end a file with a line break, which no one would type.
  const passphrase = text.replace(/\r?\n$/, '');
  if (passphrase !== '') return passphrase;
  throw new OperatorError('USAGE', `Cannot use the passphrase in "${passphraseFile}": it is empty`, {
    hint: 'Write one line into the file.',
  });
}

/** The passphrase as a run knows it. */
export function passphraseSecret(passphrase: string | undefined): Secrets {
  return passphrase === undefined ? new Map() : new Map([[PASSPHRASE, passphrase]]);
}
