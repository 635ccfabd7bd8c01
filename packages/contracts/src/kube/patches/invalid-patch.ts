import { OperatorError } from '@fenestra/kernel';

/** A patch that cannot be read or does not fit what it is to change. */
export function invalidPatch(source: string, reason: string): OperatorError {
  return new OperatorError('CONFIG_INVALID', `Cannot use the patch "${source}": ${reason}`, {
    hint: 'Correct the file, or take it out of the folder of patches.',
    details: { file: source },
  });
}
