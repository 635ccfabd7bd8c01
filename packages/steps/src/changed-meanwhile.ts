import { OperatorError } from '@fenestra/kernel';

/** The error for a file that is not the one the plan was made for. */
export function changedMeanwhile(path: string): OperatorError {
  return new OperatorError('FILE_FAILED', `Cannot use "${path}": it changed after the plan was made`, {
    hint: 'Make sure that no program writes to the file, then run the command again.',
  });
}
