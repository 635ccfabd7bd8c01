import { createHash } from 'node:crypto';
import type { PlatformPath } from 'node:path';
import type { RemoteHost } from '@fenestra/platform';
import type { CommandEffect } from '../far-end/command-effect.ts';
import type { FarEndFacts } from '../far-end/messages.ts';
import type { BatchNode } from '../inventory/batch.ts';
import type { NodeSurvey, WorkContext } from '../run/node-worker.ts';
import type { Parcel } from './parcel.ts';
import type { CommandEnd } from './remote-command.ts';
import type { Program } from './worker-options.ts';

/** Where things of a run are on a machine. */
export interface Places {
  readonly program: string;
  readonly runFolder: string;
  /** What was copied there; commands run in it. */
  readonly filesFolder: string;
  readonly workFolder: string;
  readonly undoFolder: string;
  /** The agent's configuration, and how it was before the command. */
  readonly agentConfig: string;
  readonly configBefore: string;
}

/** The places of a run below its folder. */
export function placesOf(
  path: PlatformPath,
  { program, runFolder, agentConfig }: Pick<Places, 'program' | 'runFolder' | 'agentConfig'>,
): Places {
  return {
    program,
    runFolder,
    agentConfig,
    filesFolder: path.join(runFolder, 'files'),
    workFolder: path.join(runFolder, 'work'),
    undoFolder: path.join(runFolder, 'undo'),
    configBefore: path.join(runFolder, 'before.yaml'),
  };
}

/** What was found out about a machine. */
export interface Findings {
  readonly facts: FarEndFacts;
  /** What the worker wants to know again later. */
  readonly notes: Readonly<Record<string, string>>;
}

/** The note with the digest of the program that was sent: a resumed run talks to the command through it. */
export const SENT = 'sent';
/** The note with the version that the node has if the command succeeds; absent where that is not known beforehand. */
export const VERSION_AFTER = 'versionAfter';

/** What of a delivery is not there yet. */
export interface Missing {
  readonly program: boolean;
  /** Digests of files that the store lacks. */
  readonly files: readonly string[];
  readonly bytes: number;
}

/** The work for one node, and what it is done with. */
export interface Task {
  readonly node: BatchNode;
  /** What the node's command does. */
  readonly effect: CommandEffect;
  readonly host: RemoteHost;
  readonly context: WorkContext;
  readonly signal: AbortSignal;
}

/** Whose work of which run it is, and below which folder the node is. */
export interface NodeWork {
  readonly name: string;
  readonly runId: string;
  readonly root: string | undefined;
}

/** What is to be there. */
export interface Payload {
  readonly program: Program;
  readonly parcel: Parcel;
}

/** A call of our own program on a machine. */
export interface ProgramCall {
  readonly words: readonly string[];
  readonly activity: string;
  /** One line of text, which may be secret. */
  readonly input?: string;
  readonly onLine?: (line: string) => void;
}

/** How one kind of machine is worked on. */
export interface FarSystem {
  readonly os: NodeSurvey['os'];
  /** Reads what is there. Rejects with REMOTE_UNSUPPORTED if the machine is not of this kind. */
  look(task: Task): Promise<Findings>;
  /** What has to be sent, from what was found. */
  missing(notes: Findings['notes'], payload: Payload): Missing;
  /** Sends it and has it checked there. */
  deliver(task: Task, notes: Findings['notes'], payload: Payload, missing: Missing): Promise<void>;
  places(work: NodeWork, notes: Findings['notes'], sha256: string): Places;
  call(task: Task, program: string, call: ProgramCall): Promise<CommandEnd>;
  /** Ends what is still running of the run there, and removes its folder. */
  tidy(task: Task, places: Places): Promise<void>;
}

/** The name of a run's folder on a machine: nodes of one machine have a folder each, whatever they are called. */
export function runName(runId: string, node: string): string {
  const mark = createHash('sha256').update(node).digest('hex').slice(0, 8);
  return `${plain(runId)}-${plain(node).slice(0, 40)}-${mark}`;
}

function plain(text: string): string {
  return text.replace(/[^A-Za-z0-9.-]/g, '-');
}
