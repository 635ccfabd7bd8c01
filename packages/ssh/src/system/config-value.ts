import { OperatorError } from '@fenestra/kernel';
import { withoutBrackets } from '../host-keys/host-pattern.ts';

/** A value in ssh's configuration: in quotes, without anything that ssh would replace. */
export function configValue(value: string): string {
  if (/["\r\n\0]/.test(value)) throw unusable(value);
  return `"${value.replaceAll('%', '%%')}"`;
}

/** A host as an argument of ssh: nothing that it would take for an option, or a shell for something else. */
export function hostArgument(host: string): string {
  const plain = withoutBrackets(host);
  if (!/^[\w.:][\w.:%-]*$/.test(plain)) throw unusable(host);
  return plain;
}

/** A path in a batch file of sftp. */
export function batchPath(path: string): string {
  if (/[\r\n\0]/.test(path)) throw unusable(path);
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** A word in a script for sh. */
export function shellWord(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function unusable(value: string): OperatorError {
  return new OperatorError('CONFIG_INVALID', `Cannot hand ${JSON.stringify(value)} to the system's ssh`, {
    hint: 'Use a host, account or path without quotes and line breaks.',
  });
}
