import type { BatchFile } from '../file/schema.ts';
import type { RemoteTarget } from '@fenestra/platform';
import type { Secret } from '../secrets/secret.ts';
import type { ClearSecrets } from './clear-secrets.ts';
import type { PathResolver } from './paths.ts';
import type { Findings } from './problems.ts';

/** How to log in to a machine, with secrets still to be asked for. */
export interface Login {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Empty: whatever this account usually logs in with. */
  readonly auth: readonly LoginAuth[];
  readonly hostKeys: readonly string[];
  readonly jumps: readonly Login[];
  readonly transport: RemoteTarget['transport'];
}

/** One way to log in. */
export type LoginAuth =
  | { readonly kind: 'agent'; readonly socket: string | undefined }
  | {
      readonly kind: 'key';
      readonly path: string;
      readonly passphrase: Secret | undefined;
      readonly certificate: string | undefined;
    }
  | { readonly kind: 'password'; readonly password: Secret }
  | { readonly kind: 'keyboard-interactive'; readonly answer: Secret };

/** What is needed to read the part of a file about logging in. */
export interface LoginReading {
  readonly file: BatchFile;
  readonly findings: Findings;
  readonly clear: ClearSecrets;
  readonly paths: PathResolver;
  /** A file of this machine that has to be there, by the field that names it. */
  readonly needsFile: (path: string, field: string) => void;
}
