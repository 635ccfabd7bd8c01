import type { KeadmMachine } from '../../machines/keadm-machine.ts';
import type { ProgramSource } from './program-source.ts';
import type { TestCluster } from './worker-cluster.ts';
import type { WorkerPaths } from './worker-paths.ts';

/** A cluster, a machine that may become its worker, and where the programs for it come from. */
export interface WorkerSite {
  readonly cluster: TestCluster;
  readonly machine: KeadmMachine;
  readonly paths: WorkerPaths;
  readonly source: ProgramSource;
  readonly releases: Releases;
  /** A port of the loopback at which the machine would find a server of the test's. */
  readonly sparePort: number;
  /** What the machine cannot have, being none of Windows or Linux in full: checks to leave out, by name. */
  readonly waived: readonly string[];
  /** Brings a network plugin to the machine, or removes it. */
  setNetwork(present: boolean): Promise<void>;
  stop(): Promise<void>;
}

/** The releases in the source, which are named by their versions but for the last two. */
export interface Releases {
  /** What the worker begins with. */
  readonly first: string;
  /** What it is upgraded to. */
  readonly next: string;
  /** A version that no worker of this cluster may have. */
  readonly tooNew: string;
  /** Says that it is the next version, and ends as soon as it is started. */
  readonly broken: string;
  /** Says so too, and runs, but the cluster never hears of it. */
  readonly mute: string;
}

/** The version the programs in a release say they are. */
export function versionIn({ releases }: WorkerSite, release: string): string {
  return release === releases.broken || release === releases.mute ? releases.next : release;
}
