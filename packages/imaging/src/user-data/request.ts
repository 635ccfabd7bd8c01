import { type ErrorCode, OperatorError } from '@fenestra/kernel';
import { LONGEST_CMD_LINE } from '../cloudbase/file-content.ts';
import type { MetadataService } from '../cloudbase/service.ts';
import { seenSecrets } from '../lint/checks/secrets.ts';
import type { SecretStore } from './secret-store.ts';

/** The forms user-data can be made in. */
export const USER_DATA_FORMS = ['powershell', 'multipart', 'cloud-config'] as const;

/** One of them. */
export type UserDataForm = (typeof USER_DATA_FORMS)[number];

/** Where the machine gets the token from: out of a store, or it stands in the user-data itself. Secret. */
export type TokenSource =
  | { readonly kind: 'store'; readonly store: SecretStore }
  | { readonly kind: 'inline'; readonly token: string };

/** Stands for the token in a configuration. */
export const TOKEN_MARK = '@TOKEN@';

/** What makes the machine a node. */
export type JoinAct =
  | {
      readonly kind: 'worker';
      /** kubeadm's configuration, with the mark in place of the token. */
      readonly configuration: string;
      readonly program: 'keadm' | 'kubeadm';
      readonly verbosity: number | undefined;
    }
  /** The arguments of `keadm join`, without the token. */
  | { readonly kind: 'edge'; readonly words: readonly string[] };

/** A file to write before anything runs. */
export interface UserDataFile {
  readonly path: string;
  readonly content: Buffer;
  readonly append: boolean;
  /** Whether only the system and administrators may read it. */
  readonly isProtected: boolean;
  /** Where its content was given: a line and a field. */
  readonly place: string;
}

/** A command for cmd.exe. */
export interface UserDataCommand {
  readonly text: string;
  /** Where it was given: a line and a field, or an option. */
  readonly place: string;
}

/** Everything user-data is made of. */
export interface UserDataRequest {
  /** `undefined`: whichever fits. */
  readonly form: UserDataForm | undefined;
  readonly service: MetadataService | undefined;
  readonly join: JoinAct;
  readonly token: TokenSource;
  readonly files: readonly UserDataFile[];
  /** As Cluster API has them: before and after the join. */
  readonly commandsBefore: readonly UserDataCommand[];
  readonly commandsAfter: readonly UserDataCommand[];
  /** Keys that only a cloud-config has: `users` and `ntp`. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Throws for the first command that cmd.exe would not run as it is meant. */
export function requireRunnable(commands: readonly UserDataCommand[], code: ErrorCode): void {
  for (const { text, place } of commands) {
    const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
    if (lines.length > 1) throw severalLines(place, lines.length, code);
    if (lines.some((line) => line.length > LONGEST_CMD_LINE)) throw tooLong(place, code);
  }
}

/** Of several lines only the last one says how it went, so a failure before it would go unseen. */
function severalLines(place: string, count: number, code: ErrorCode): OperatorError {
  return new OperatorError(code, `Cannot run ${place}: it has ${count} lines, and only the last could fail`, {
    hint: 'Give one command per entry; what needs several lines goes into a file that a command calls.',
  });
}

function tooLong(place: string, code: ErrorCode): OperatorError {
  return new OperatorError(
    code,
    `Cannot run ${place}: cmd.exe reads lines of ${LONGEST_CMD_LINE} letters, and it is longer`,
    { hint: 'Put what it does into a file, and let the command call that.' },
  );
}

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
    `Cannot put secrets into ${title}: everyone with access to the machine could read them${lines.join('')}`,
    { hint: 'Put them into the store of the platform, and let a command fetch them on the machine.' },
  );
}
