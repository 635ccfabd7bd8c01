import type { FileStore } from '../file-store.ts';
import type { Scripts } from '../scripts/scripts.ts';
import type { RemoteHosts, RemoteTarget } from '../remote/remote-host.ts';
import type { ServiceManager } from '../service-manager.ts';

/** What a bed may have to say it cannot show. */
export type FileTopic = 'modes' | 'links' | 'programs-in-use';

/** A real file system, and a program that can be copied and run from it. */
export interface FileBed {
  readonly files: FileStore;
  /** An existing scratch folder. */
  readonly folder: string;
  /** A program that, copied anywhere and run with these arguments, stays up for a minute. */
  readonly longRunning: { readonly executable: string; readonly args: readonly string[] };
  readonly cannotShow: Readonly<Partial<Record<FileTopic, string>>>;
}

/** A real system that runs scripts. */
export interface ScriptBed {
  readonly scripts: Scripts;
  /** An existing scratch folder. */
  readonly folder: string;
  /**
   * Writes a script of the system's own kind into the folder, which hands its arguments on to Node with this program,
   * and its exit code back; returns its path.
   */
  writeScript(folder: string, programFile: string): Promise<string>;
}

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

/** What a bed may have to say it cannot show. */
export type ServiceTopic =
  | 'recovery-read-back'
  | 'recovery-restart'
  | 'dependencies'
  | 'writable-folders'
  | 'delayed-start'
  | 'output-kept'
  | 'deleted-while-running';

/** What the noting program is instructed to do. */
export type ProgramBehaviour = 'serve' | 'fail-at-start' | 'slow-start' | 'slow-stop' | 'crash-on-reload';

/** A real service manager, and a program it can run. */
export interface ServiceBed {
  readonly services: ServiceManager;
  /** An existing scratch folder. */
  readonly folder: string;
  /**
   * The command line that hosts `notingProgram` as this service. Arguments put after these must reach
   * the program as its further arguments.
   */
  program(
    service: string,
    noteFile: string,
    behaviour: ProgramBehaviour,
  ): { readonly executable: string; readonly args: readonly string[] };
  /** A delay short enough to watch a restart. */
  readonly restartDelaySeconds: number;
  /** Marks a running service as deleted behind the adapter's back; needed unless `deleted-while-running` cannot be shown. */
  readonly deleteWhileRunning?: (service: string) => Promise<void>;
  readonly cannotShow: Readonly<Partial<Record<ServiceTopic, string>>>;
}
