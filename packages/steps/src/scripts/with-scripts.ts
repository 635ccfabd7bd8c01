import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import type { Scripts } from '@fenestra/platform';
import type { NodeChange } from '../session/change-node.ts';
import type { NodeSession } from '../session/node-session.ts';
import { scriptFailure, type KeptOutput } from './script-failure.ts';
import { scriptVariables, type ScriptFacts, type ScriptPhase } from './script-variables.ts';

/** Which scripts an operator wants around the work. */
export interface ScriptWishes {
  readonly preRun?: string | undefined;
  readonly postRun?: string | undefined;
  readonly limitSeconds: number;
}

/** The scripts around one command's work, and what runs them. */
export interface ScriptedWork {
  readonly wishes: ScriptWishes;
  readonly scripts: Scripts;
  readonly session: NodeSession;
  readonly facts: ScriptFacts;
}

/** A change of the node that had scripts around it. */
export interface ScriptedChange extends NodeChange {
  /** Why the post-run script failed. Nothing was undone for it. */
  readonly scriptFailure?: OperatorError;
}

/**
 * Runs the pre-run script, the work, and, unless the work was reverted, the post-run script. A failing pre-run is thrown
 * before the work begins. What the scripts say is kept in keadm's bookkeeping folder.
 */
export async function withScripts(
  scripted: ScriptedWork,
  work: () => Promise<NodeChange>,
  signal: AbortSignal,
): Promise<ScriptedChange> {
  const { preRun, postRun } = scripted.wishes;
  // A post-run that cannot run should not be found out at the end.
  for (const path of [preRun, postRun]) if (path !== undefined) await scripted.scripts.check({ path, args: [] });
  const before = preRun === undefined ? undefined : await run(scripted, 'pre-run', preRun, signal);
  if (before !== undefined) throw before;
  const change = await work();
  if (postRun === undefined || change.outcome === 'reverted') return change;
  const after = await run(scripted, 'post-run', postRun, signal);
  return after === undefined ? change : { ...change, scriptFailure: after };
}

async function run(
  { wishes, scripts, session, facts }: ScriptedWork,
  phase: ScriptPhase,
  path: string,
  signal: AbortSignal,
): Promise<OperatorError | undefined> {
  const env = scriptVariables(facts, phase);
  const end = await scripts.run({ path, args: [], env, limitMs: wishes.limitSeconds * 1000 }, signal);
  const output = await keepOutput(session, `${facts.command}-${phase}.log`, end.output);
  return scriptFailure({ phase, path, output }, end);
}

/** What a script said is not worth the work it stands around: a disk that is full must not make that a failure. */
async function keepOutput(session: NodeSession, name: string, output: string): Promise<KeptOutput> {
  try {
    return { file: await writeOutput(session, name, output) };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { lost: error.message };
  }
}

/** One file for each command and phase, so that they cannot pile up. */
async function writeOutput({ layout, ports }: NodeSession, name: string, output: string): Promise<string> {
  const folder = join(layout.bookkeepingFolder, 'scripts');
  for (const path of [layout.bookkeepingFolder, folder]) {
    await ports.files.createFolder(path);
    await ports.access.makePrivate(path);
  }
  const file = join(folder, name);
  await ports.files.replace(file, output);
  return file;
}
