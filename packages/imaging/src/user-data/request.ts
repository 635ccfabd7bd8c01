import type { MetadataService } from '../cloudbase/service.ts';
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
