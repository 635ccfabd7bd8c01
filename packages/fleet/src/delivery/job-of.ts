import type { FarEndJob } from '../far-end/messages/job.ts';
import { secretsOf } from '../far-end/redact.ts';
import type { BatchNode } from '../inventory/batch-node.ts';
import type { WorkContext } from '../run/node-worker.ts';
import type { Places } from './far-system.ts';
import { commandKind } from './wishes.ts';

/** How long a command that is stopped may take to undo what it did. */
export const STOP_SECONDS = 180;

/** Where the last try at the node's command keeps what it knows. */
export function workFolderOf({ workFolder }: Places, { commandTry }: WorkContext): string {
  return ofTry(workFolder, commandTry);
}

/** The node's command as a job. One that has ended stays as it is, and the next try is another job. */
export async function workJob(node: BatchNode, places: Places, context: WorkContext): Promise<FarEndJob> {
  const { runId, commandTry, signal } = context;
  const argv = await node.command(signal);
  const isConfig = commandKind(node.shownCommand) === 'config';
  return {
    id: ofTry(`${runId}/work`, commandTry),
    argv: [...argv],
    shown: [...node.shownCommand],
    secrets: [...secretsOf(argv, node.shownCommand)],
    folder: places.filesFolder,
    save: isConfig ? [{ from: places.agentConfig, to: places.configBefore }] : [],
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
