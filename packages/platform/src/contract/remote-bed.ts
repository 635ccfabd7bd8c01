import type { RemoteHosts, RemoteTarget } from '../remote/remote-host.ts';

/** What a bed may say it cannot show. */
export type RemoteTopic = 'death by signal';

/** Real machines that can be logged in to, whose shell is one of POSIX. */
export interface RemoteBed {
  readonly hosts: RemoteHosts;
  /** A machine that lets us in and whose key is known. */
  readonly target: RemoteTarget;
  /** Two others of the kind. */
  readonly jumps: readonly RemoteTarget[];
  /** The right fingerprint of its host key. */
  readonly fingerprint: string;
  /** The whole of it: type and base64. */
  readonly hostKey: string;
  /** A name for the same machine that no file knows. */
  readonly unknownName: string;
  /** A name for it that a file knows with another key. */
  readonly changedName: string;
  /** A key that it does not let in. */
  readonly strangeKey: string;
  /** A port on which nothing listens. */
  readonly deadPort: number;
  /** A port that takes connections and never says anything. */
  readonly mutePort: number;
  /** A folder there that can be written. */
  readonly folder: string;
  /** Ends all connections from the far end. */
  cutConnections(): void;
  /** Why a topic cannot be shown here. */
  readonly skips?: Readonly<Partial<Record<RemoteTopic, string>>>;
}
