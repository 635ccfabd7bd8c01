import type { ConfigNote } from '@fenestra/contracts';
import type { RemoteTarget } from '@fenestra/platform';
import type { RunPolicy } from '../run/policy.ts';

/** A batch file with everything in it found sound, and put together. Nothing secret has been asked for yet. */
export interface Batch {
  /** The file's path, as it was given. */
  readonly file: string;
  /** SHA-256 of the file's text, in hexadecimal: whether it is still the file that a run began with. */
  readonly digest: string;
  /** In the order of the file; never empty, and no name twice. */
  readonly nodes: readonly BatchNode[];
  readonly policy: RunPolicy;
  readonly keadm: ProgramSource;
  /** How files get to the nodes: `auto` lets them pull where they can reach this machine. */
  readonly delivery: 'auto' | 'push' | 'pull';
  /** Whether executables travel compressed: `auto` does so wherever there is a network in between. */
  readonly compress: 'auto' | 'always' | 'never';
  /** What the operator may not have meant; to be said before anything happens. Never holds a secret. */
  readonly notes: readonly ConfigNote[];
}

/** Where the executables come from that are sent to the nodes. Paths are absolute. */
export type ProgramSource =
  /** This very executable, and those for other systems beside it. */
  | { readonly kind: 'own' }
  /** Unpacked executables, by folders named after the architecture: `<folder>/amd64/keadm`. */
  | { readonly kind: 'folder'; readonly folder: string; readonly arches: readonly ProgramArch[] }
  /** Packed ones: `<folder>/amd64/keadm-<version>-linux-amd64.tar.gz`. */
  | {
      readonly kind: 'archives';
      readonly folder: string;
      readonly version: string;
      readonly arches: readonly ProgramArch[];
    }
  /** Packed ones, to be fetched once: `<url>/keadm-<version>-linux-amd64.tar.gz`. */
  | {
      readonly kind: 'download';
      /** Without a slash at its end. */
      readonly url: string;
      readonly version: string;
      readonly arches: readonly ProgramArch[];
    };

/** An architecture, as the files of releases are named. */
export type ProgramArch = 'amd64' | 'arm64' | 'arm';

/** What a batch file is read with. */
export interface BatchEnvironment {
  /** Where secrets by `env:NAME`, the home folder and the address of the ssh agent come from. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** One machine of a batch with everything that the file, its defaults and its groups say about it. */
export interface BatchNode {
  /** Unique in the file. */
  readonly name: string;
  readonly groups: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /**
   * The command keadm runs there: the words after "keadm", never empty. Every secret is replaced by `***`: for people,
   * logs, the journal, and to see which command it is.
   */
  readonly shownCommand: readonly string[];
  /** The same words as they are to be run, with the secrets asked for now. Never print them. */
  command(signal: AbortSignal): Promise<readonly string[]>;
  /** A folder of this machine whose content goes there, folders included. */
  readonly copyFrom: string | undefined;
  /** Known beforehand, or found out there. */
  readonly os: 'linux' | 'windows' | undefined;
  readonly become: Become | undefined;
  readonly limits: NodeLimits;
  readonly retries: Retries;
  /** Secrets are resolved here and not before, so that no one who only reads the file needs them. */
  target(signal: AbortSignal): Promise<RemoteTarget>;
}

/** Another account's rights for what is done there. */
export interface Become {
  readonly method: 'sudo' | 'doas';
  /** Resolved when it is needed; undefined where none is asked for. */
  readonly password: ((signal: AbortSignal) => Promise<string>) | undefined;
}

/** How long the parts of a node's work may take. */
export interface NodeLimits {
  readonly deliverSeconds: number;
  readonly commandSeconds: number;
}

/** How often and how soon something that may succeed later is tried again. */
export interface Retries {
  /** Attempts in all, so 1 means no retry. */
  readonly attempts: number;
  readonly firstDelaySeconds: number;
  readonly longestDelaySeconds: number;
}
