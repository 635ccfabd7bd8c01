import type { BatchNode } from '../inventory/batch.ts';
import type { BatchNodeState } from '../report/events.ts';

/** The work on one node. Every part is idempotent, so that it can be repeated after a crash of the controller. */
export interface NodeWorker {
  /** Connects and reads the system, the state of its node, and what the command would change. */
  survey(node: BatchNode, context: WorkContext): Promise<NodeSurvey>;
  /** Sends the files that the node lacks, by digest. */
  deliver(node: BatchNode, survey: NodeSurvey, context: WorkContext): Promise<void>;
  /** Completes the survey of a node by a dry run there, if the survey says that one is needed. Changes nothing. */
  preview(node: BatchNode, survey: NodeSurvey, context: WorkContext): Promise<NodeSurvey>;
  /** Starts the command, or finds the one of this try, and follows it to its exit over any number of connections. */
  execute(node: BatchNode, survey: NodeSurvey, context: WorkContext): Promise<void>;
  /** Resolves if the node is healthy after the command; rejects with the reason if not. */
  prove(node: BatchNode, survey: NodeSurvey, context: WorkContext): Promise<void>;
  /** Stops a running command and undoes it; leaves a node alone that is in the state the survey found. */
  rollBack(node: BatchNode, survey: NodeSurvey, context: WorkContext): Promise<void>;
  /** Stops whatever this run started there and still runs, and removes the run's folder. */
  tidy(node: BatchNode, survey: NodeSurvey | undefined, context: WorkContext): Promise<void>;
}

/** The parts of a node's work that are retried separately; each is a method of the worker. */
export const NODE_PARTS = ['survey', 'deliver', 'execute', 'prove', 'roll-back'] as const;
export type NodePart = (typeof NODE_PARTS)[number];

/** The state of a node during a part of its work. */
export const PART_STATES = {
  survey: 'surveying',
  deliver: 'delivering',
  execute: 'executing',
  prove: 'proving',
  'roll-back': 'rolling-back',
} as const satisfies Readonly<Record<NodePart, BatchNodeState>>;

/** What a part of the work is given besides the node. */
export interface WorkContext {
  readonly runId: string;
  /** The number of this try at the command; earlier tries have ended. */
  readonly commandTry: number;
  /** Fires when this part is cancelled. A command that runs on the node continues; `rollBack` and `tidy` stop it. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  /** Publishes what the node is doing now, as text for people. */
  readonly say: (text: string) => void;
  readonly progress: (done: number, total: number) => void;
}

/** The state of a node before any change. Plain data, kept in the run's journal. */
export interface NodeSurvey {
  readonly os: 'linux' | 'windows';
  readonly arch: 'x64' | 'arm64';
  readonly shell: 'posix' | 'cmd' | 'powershell';
  readonly installedVersion: string | undefined;
  readonly state: 'absent' | 'running' | 'stopped';
  /** What the command would do. `nothing` means that the node is already up to date. */
  readonly action: 'nothing' | 'change';
  /** Whether only a dry run on the node, once it has the files, shows what the command would change. */
  readonly previewed: boolean;
  /** The same for people: "join as edge-7", "upgrade v0.1.0 to v0.2.0", "already joined". */
  readonly summary: string;
  readonly missingBytes: number;
  /** How far the clock there is ahead of ours. */
  readonly clockAheadSeconds: number;
  /** Values the worker needs again in later parts. */
  readonly notes: Readonly<Record<string, string>>;
}
