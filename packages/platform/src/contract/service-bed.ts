import type { ServiceManager } from '../service-manager.ts';

/** What a bed may have to say it cannot show. */
export type ServiceTopic =
  | 'recovery-read-back'
  | 'recovery-restart'
  | 'dependencies'
  | 'writable-folders'
  | 'delayed-start'
  | 'output-kept'
  | 'deleted-while-running';

/** What the noting program is told to do. */
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
