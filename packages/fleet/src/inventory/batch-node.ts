import type { RemoteTarget } from '@fenestra/platform';

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
