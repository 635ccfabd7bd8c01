import type { RemoteHosts } from '@fenestra/platform';
import type { CommandEffect } from '../far-end/command-effect.ts';
import type { NodeSurvey, NodeWorker } from '../run/node-worker.ts';

/** An executable of this controller that can be sent to machines of one kind. */
export interface Program {
  readonly path: string;
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** The version of the agent that it carries. */
  readonly version: string;
}

/** What the work on remote nodes needs. */
export interface RemoteWorkerOptions {
  readonly hosts: RemoteHosts;
  /** The executable for a kind of machine; rejects with REMOTE_UNSUPPORTED if there is none, as `carried` does. */
  readonly programs: (os: NodeSurvey['os'], arch: NodeSurvey['arch']) => Promise<Program>;
  /** The version that it carries. Nothing has to be read for that as long as no one is to get it. */
  readonly carried: (os: NodeSurvey['os'], arch: NodeSurvey['arch']) => Promise<string>;
  /** What the words after "keadm" do, as that command declares it. */
  readonly effectOf: (words: readonly string[]) => Promise<CommandEffect>;
  readonly now: () => Date;
  /** Bytes that no one can guess. */
  readonly random: (size: number) => Uint8Array;
  /**
   * How executables get there: `push` through the connection; `auto` lets machines that can reach this one fetch them
   * by HTTPS, and pushes to the others; `pull` does without the latter.
   */
  readonly delivery: 'auto' | 'push' | 'pull';
  /** Whether executables travel packed to machines that can unpack them: `auto` wherever a network is in between. */
  readonly compress: 'auto' | 'always' | 'never';
  /** A private folder for what is made for the time of the run. */
  readonly scratchFolder: string;
  /** How many connections that no one uses at the moment are kept open. */
  readonly idleConnections: number;
}

/** Does the work of a run on real machines. */
export interface RemoteWorker extends NodeWorker {
  /** Ends connections and whatever else was opened; the machines are left as they are. */
  close(): Promise<void>;
}
