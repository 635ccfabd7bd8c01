import { OperatorError } from '@fenestra/kernel';

/** A backup that must not be used. `reason` completes "Cannot use the backup: it …". */
export function invalidBackup(reason: string, cause?: unknown): OperatorError {
  return new OperatorError('BACKUP_INVALID', `Cannot use the backup: it ${reason}`, {
    hint: 'Use another backup; "keadm backup list" shows those there are.',
    cause,
  });
}
