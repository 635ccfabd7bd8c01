import { OperatorError } from '@fenestra/kernel';
import type { Secrets } from '@fenestra/session';

/** Under which name a run knows the passphrase of a backup. */
export const PASSPHRASE = 'passphrase';

/** The passphrase a run began with. */
export function passphraseIn(secrets: Secrets): string {
  const passphrase = secrets.get(PASSPHRASE);
  if (passphrase !== undefined) return passphrase;
  throw new OperatorError('PASSPHRASE_WRONG', 'Cannot encrypt the backup without a passphrase', {
    hint: 'Give it by "--passphrase-file FILE" or in KEADM_PASSPHRASE.',
  });
}
