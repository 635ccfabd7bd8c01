import type { BatchNode } from '../inventory/batch-node.ts';

/** What is done to one node. Every part may be called again after a crash of the controller, with the same effect. */
export interface NodeWorker {
  /** Connects and reads: who is there, in what state, and what the command would change. */
  survey(node: BatchNode, context: WorkContext): Promise<NodeSurvey>;
  /** Sends what is missing there, by digest. */
  deliver(node: BatchNode, survey: NodeSurvey, context: WorkContext): Promise<void>;
  /**
   * Starts the command, or finds the one that an earlier attempt of this run has started as the same try, and follows it
   * to its end over as many connections as it takes.
   */
  execute(node: BatchNode, survey: NodeSurvey, context: WorkContext): Promise<void>;
  /** Whether the node is as it should be after the command; rejects with the reason if not. */
  prove(node: BatchNode, survey: NodeSurvey, context: WorkContext): Promise<void>;
  /**
   * Undoes the command on a node that it had changed or was just changing: what still runs there is stopped first, and
   * a node that is as the survey found it is left alone.
   */
  rollBack(node: BatchNode, survey: NodeSurvey, context: WorkContext): Promise<void>;
  /** Ends what this run has started there and is still running, and removes the run's folder. */
  tidy(node: BatchNode, survey: NodeSurvey | undefined, context: WorkContext): Promise<void>;
}

/** What a part of the work is given besides the node. */
export interface WorkContext {
  readonly runId: string;
  /** Which try at the command is meant; the earlier ones have ended. */
  readonly commandTry: number;
  /** Fired: nobody waits for this part any more. A command that runs there runs on; `rollBack` and `tidy` stop it. */
  readonly signal: AbortSignal;
  /** One line of what the far end said, for the node's log. */
  readonly log: (line: string) => void;
  /** What it is doing now, for people. */
  readonly say: (text: string) => void;
  /** How much of the delivery is done. */
  readonly progress: (done: number, total: number) => void;
}

/** What is there before anything is done. Plain data: the run's journal keeps it. */
export interface NodeSurvey {
  readonly os: 'linux' | 'windows';
  readonly arch: 'x64' | 'arm64';
  readonly shell: 'posix' | 'cmd' | 'powershell';
  /** The version of the agent that is installed, if one is. */
  readonly installedVersion: string | undefined;
  readonly state: 'absent' | 'running' | 'stopped';
  /** What the command would do. `nothing` means that the node is already as wanted. */
  readonly action: 'nothing' | 'change';
  /** The same for people: "join as edge-7", "upgrade v0.1.0 to v0.2.0", "already joined". */
  readonly summary: string;
  /** How many bytes have to be sent. */
  readonly missingBytes: number;
  /** How far the clock there is ahead of ours. */
  readonly clockAheadSeconds: number;
  /** What the worker wants to know again later. */
  readonly notes: Readonly<Record<string, string>>;
}
