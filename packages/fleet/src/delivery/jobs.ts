import { type ErrorCode, type ErrorDetails, OperatorError } from '@fenestra/kernel';
import { commandName } from '../far-end/command-words.ts';
import { failureIn, type FarEndFailure, type FarEndJob } from '../far-end/messages.ts';
import { redact, secretsOf } from '../far-end/redact.ts';
import type { BatchNode } from '../inventory/batch.ts';
import type { WorkContext } from '../run/node-worker.ts';
import { tookTooLong } from './failures.ts';
import type { Places, Task } from './far-system.ts';
import type { JobEnd } from './follow.ts';

/** How long a command that is stopped may take to undo what it did. */
export const STOP_SECONDS = 180;

/** Where the last try at the node's command keeps what it knows. */
export function workFolderOf({ workFolder }: Places, { commandTry }: WorkContext): string {
  return ofTry(workFolder, commandTry);
}

/** The node's command as a job. One that has ended stays as it is, and the next try is another job. */
export async function workJob(
  { node, effect }: Pick<Task, 'node' | 'effect'>,
  places: Places,
  context: WorkContext,
): Promise<FarEndJob> {
  const { runId, commandTry, signal } = context;
  const argv = await node.command(signal);
  return {
    id: ofTry(`${runId}/work`, commandTry),
    argv: [...argv],
    shown: [...node.shownCommand],
    secrets: [...secretsOf(argv, node.shownCommand)],
    folder: places.filesFolder,
    save: effect.undo === 'configuration' ? [{ from: places.agentConfig, to: places.configBefore }] : [],
    limits: limitsOf(node),
  };
}

/** The command that undoes the node's. It holds no secret. */
export function undoJob(node: BatchNode, runId: string, places: Places, words: readonly string[]): FarEndJob {
  return {
    id: `${runId}/undo`,
    argv: [...words],
    shown: [...words],
    secrets: [],
    folder: places.filesFolder,
    save: [],
    limits: limitsOf(node),
  };
}

function ofTry(name: string, commandTry: number): string {
  return commandTry === 1 ? name : `${name}-${commandTry}`;
}

function limitsOf({ limits: { commandSeconds } }: BatchNode): FarEndJob['limits'] {
  return { commandSeconds, stopSeconds: STOP_SECONDS };
}

interface EndedJob {
  readonly node: string;
  /** How the command is shown to people. */
  readonly shown: readonly string[];
  readonly secrets: readonly string[];
  readonly limitSeconds: number;
}

/** The failure that an ended job amounts to; `undefined` if it went well. */
export function failureOfJob({ exit, result }: JobEnd, job: EndedJob): OperatorError | undefined {
  if (exit.exitCode === 0) return undefined;
  if (exit.stopped === 'limit')
    return tookTooLong(job.node, `running "keadm ${job.shown.join(' ')}"`, job.limitSeconds);
  if (exit.stopped === 'asked') return interrupted(job);
  const failure = failureIn(result);
  if (failure === undefined) return failed(job, `it ended with ${exit.exitCode}`, LOOK_AT_LOG, {});
  const { code, message, hint } = failure;
  const details = { farCode: code, mayPass: mayPass(failure) };
  return failed(job, `[${code}] ${redact(message, job.secrets)}`, redact(hint, job.secrets), details);
}

const LOOK_AT_LOG = "Look at the node's log in the run's folder.";

function failed({ node, shown }: EndedJob, why: string, hint: string, details: ErrorDetails): OperatorError {
  const message = `"keadm ${commandName(shown)}" failed on "${node}": ${why}`;
  return new OperatorError('REMOTE_COMMAND_FAILED', message, { hint, details });
}

function interrupted({ node, shown }: EndedJob): OperatorError {
  return new OperatorError('INTERRUPTED', `"keadm ${commandName(shown)}" was stopped on "${node}"`, {
    hint: 'Run "keadm batch retry" to run it again.',
  });
}

/**
 * What keadm fails with when something else is in its way for a time: the network, the cloud, a server or another program.
 * It has undone what it did by then. A new version that does not work, or a machine that lacks something, is not among them.
 */
const PASSING: readonly ErrorCode[] = [
  'NODE_LOCKED',
  'FILE_IN_USE',
  'HUB_UNREACHABLE',
  'API_UNREACHABLE',
  'API_FAILED',
  'DOWNLOAD_FAILED',
];

/** Whether a keadm command that has failed on a node may succeed there if it is run again. */
export function mayPass({ code, details = {} }: Pick<FarEndFailure, 'code' | 'details'>): boolean {
  // A server that names its reason has no such file, or does not give it to us; and time does not heal certificates.
  if (code === 'DOWNLOAD_FAILED' && (details['status'] ?? details['certificate']) !== undefined) return false;
  return PASSING.some((passing) => passing === code);
}
