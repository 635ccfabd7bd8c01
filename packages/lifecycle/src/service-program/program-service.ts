import type { ServiceSpec } from '@fenestra/platform';

/** The name the cloud has in every service manager. */
export const CLOUD_SERVICE = 'cloudcore';

/** A program of ours that a service manager runs: the node's agent, or the cloud. */
export interface ProgramService {
  readonly spec: ServiceSpec;
  /** The folder that holds the program. */
  readonly programFolder: string;
  /** Folders it needs, private to the system and its administrators. */
  readonly folders: readonly string[];
  /** The one of them that it fills itself. */
  readonly stateFolder: string;
  /** Files it is configured by. Only those that are missing are written: what an operator changed stays. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
}
