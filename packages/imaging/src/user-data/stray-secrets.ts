import { OperatorError } from '@fenestra/kernel';
import { seenSecrets } from '../lint/secret-pattern.ts';
import type { UserDataRequest } from './request.ts';

/** A secret in a file or a command, which user-data shows to everybody who sees the machine. Never what it is. */
interface StraySecret {
  readonly place: string;
  readonly what: string;
}

/** What to know of secrets in files and commands. Throws `USAGE` where the platform has a better place for them. */
export function straySecretNotes(request: UserDataRequest): readonly string[] {
  const strays = straySecrets(request);
  const { service } = request;
  if (strays.length > 0 && service?.hasSecretStore === true) throw refusal(strays, service.title);
  return strays.map(
    ({ place, what }) =>
      `${place}: the user-data contains ${what}, which everyone with access to the machine can read.`,
  );
}

/** One for every file and command that has any. */
export function straySecrets({ files, commandsBefore, commandsAfter }: UserDataRequest): readonly StraySecret[] {
  const written = [
    ...files.map(({ place, content }) => ({ place, text: content.toString('latin1') })),
    ...commandsBefore,
    ...commandsAfter,
  ];
  return written.flatMap(({ place, text }) => {
    const [secret] = seenSecrets(text);
    return secret === undefined ? [] : [{ place, what: secret.what }];
  });
}

function refusal(strays: readonly StraySecret[], title: string): OperatorError {
  const lines = strays.map(({ place, what }) => `\n  ${place}: ${what}`);
  return new OperatorError(
    'USAGE',
    `Cannot put secrets into ${title}: everybody who sees the machine could read them${lines.join('')}`,
    { hint: 'Put them into the store of the platform, and let a command fetch them on the machine.' },
  );
}
