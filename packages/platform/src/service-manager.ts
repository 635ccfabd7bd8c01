import { OperatorError } from '@fenestra/kernel';

/** How the service manager brings a failed service back. */
export interface RecoveryPolicy {
  /** The wait before the first, second, … restart. The last one repeats. */
  readonly restartDelaysSeconds: readonly number[];
  /** After this long without a failure the count begins again; infinite where the system never forgets it. */
  readonly resetAfterSeconds: number;
}

/** The policy of every service of ours. */
export const RECOVERY_POLICY: RecoveryPolicy = {
  restartDelaysSeconds: [60, 120, 300],
  resetAfterSeconds: 24 * 60 * 60,
};

/** When the system starts a service by itself. */
export type StartType = 'automatic' | 'automatic-delayed' | 'manual' | 'disabled';

/** Everything a service manager gets about a service. */
export interface ServiceSpec {
  /** Letters, digits, `-` and `_`; at most 64 characters. */
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  /** Absolute path of the program. */
  readonly executable: string;
  readonly args: readonly string[];
  readonly startType: StartType;
  /** Names of services that must run before this one. */
  readonly dependencies: readonly string[];
  readonly recovery: RecoveryPolicy;
  /**
   * `all` for a program that is not ours, of which no one here knows what it needs; and which has failed if it ends by
   * itself, however well it speaks of it. Left out, a service has those rights of the system account alone that our own
   * programs use.
   */
  readonly rights?: 'all';
  /** Folders the service writes to; everything else may be made read-only for it. Empty means no restriction. */
  readonly writableFolders: readonly string[];
}

/** Where a service is in its life. `failed` is stopped, with an error, and perhaps waiting to be restarted. */
export type ServiceState = 'absent' | 'stopped' | 'failed' | 'starting' | 'running' | 'stopping';

/** What a service does right now. */
export interface ServiceStatus {
  readonly state: ServiceState;
  /** Process id of the service's main program while it runs. */
  readonly pid?: number;
  /** How the program last ended, where the system remembers it. */
  readonly exitCode?: number;
  readonly startType?: StartType;
  /** Set if it runs, and has been instructed to do nothing for now. */
  readonly paused?: true;
}

/** The options of a running service. `reload` is SIGHUP on Linux and control 128 on Windows. */
export type ServiceControl = 'reload';

/** What an operator would do manually; used in hints. */
export type ServiceAction = 'start' | 'stop' | 'status' | 'logs';

/** Whether `install` had anything to do. */
export type InstallOutcome = 'created' | 'updated' | 'unchanged';

/**
 * The operating system's service manager, reduced to what the life cycle needs.
 * Every method is idempotent: stopping a stopped service succeeds, so does removing an absent one.
 * Methods that wait throw `INTERRUPTED` or `TIMED_OUT` when their signal fires, and say what they waited for.
 */
export interface ServiceManager {
  /** Registers the service, or changes what differs from the spec. Never starts or restarts it. */
  install(spec: ServiceSpec): Promise<InstallOutcome>;
  /** An unknown service is `absent`, not an error. */
  status(name: string): Promise<ServiceStatus>;
  /**
   * What is registered under this name, as far as the system gives it back; `undefined` if nothing is. A recovery policy
   * that cannot be read back has no delays here.
   */
  read(name: string): Promise<ServiceSpec | undefined>;
  /** What the system will really do after a failure, as it says itself; `undefined` where it cannot be read back. */
  recovery(name: string): Promise<RecoveryPolicy | undefined>;
  /** Returns once the service runs. An absent service is `SERVICE_NOT_FOUND`, one that ends at once `SERVICE_FAILED`. */
  start(name: string, signal: AbortSignal): Promise<void>;
  /** Returns once the service is stopped and its process gone. Works on a service that is being deleted too. */
  stop(name: string, signal: AbortSignal): Promise<void>;
  restart(name: string, signal: AbortSignal): Promise<void>;
  /** Tells a running service something; a service that does not run is `SERVICE_CONFLICT`. */
  control(name: string, control: ServiceControl): Promise<void>;
  /** Stops the service and forgets it; returns once the name is free again. */
  remove(name: string, signal: AbortSignal): Promise<void>;
  /**
   * Takes the service out of the register without stopping it: nothing starts it again, neither recovery nor the next
   * boot, and its name is free once its process has ended. It is how a service removes itself.
   */
  forget(name: string): Promise<void>;
  /** What the service said last, oldest first, as far as the system keeps it; nothing of an absent one. */
  lastLines(name: string, count: number): Promise<readonly string[]>;
  /** The command line an operator would type on this system. */
  commandLine(action: ServiceAction, name: string): string;
}

const SERVICE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Throws `USAGE` for a name that some service manager, or a path made from it, would take amiss. */
export function requireServiceName(name: string): void {
  if (SERVICE_NAME.test(name)) return;
  throw new OperatorError('USAGE', `Cannot use "${name}" as the name of a service`, {
    hint: 'Use letters, digits, "-" and "_", starting with a letter or digit, at most 64 characters.',
  });
}
