import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import type { Scripts } from '@fenestra/platform';
import { changeNode, recoverOnly, type CarriedOut, type NodeChange, type PlannedChange } from '../change-node.ts';
import type { NodeSession } from '../node-session.ts';
import {
  scriptFailure,
  type KeptOutput,
  scriptVariables,
  type ScriptFacts,
  type ScriptPhase,
} from './script-failure.ts';

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
export async function withScripts<Change extends NodeChange>(
  scripted: ScriptedWork,
  work: () => Promise<Change>,
  signal: AbortSignal,
): Promise<Change & ScriptedChange> {
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

/** A change that scripts stand around, and how it is planned. */
export interface ScriptedPlan<Planned> {
  readonly session: NodeSession;
  readonly command: string;
  readonly makePlan: () => Promise<Planned>;
  /** Called with the plan that is carried out, before it is. */
  readonly onPlanned: (planned: Planned) => void;
}

/**
 * Changes a node with scripts around the change. Scripts are for work that is there to be done, and that no check stands
 * against: so the change is planned once before they run.
 */
export async function changeWithScripts<Planned extends PlannedChange>(
  scripted: ScriptedWork,
  { session, command, makePlan, onPlanned }: ScriptedPlan<Planned>,
  signal: AbortSignal,
): Promise<CarriedOut<Planned> & { readonly change: ScriptedChange }> {
  const { preRun, postRun } = scripted.wishes;
  const hasScripts = preRun !== undefined || postRun !== undefined;
  // What a run that was cut off has left must not be taken for the leftovers of another node.
  const recovered = hasScripts ? await recoverOnly(scripted.session) : [];
  const foreseen = hasScripts ? await makePlan() : undefined;
  if (foreseen?.plan.length === 0) return { change: { recovered, plan: [], outcome: 'unchanged' }, planned: foreseen };
  const planForReal = async (): Promise<Planned> => {
    const made = await makePlan();
    onPlanned(made);
    return made;
  };
  const work = async (): Promise<NodeChange & { readonly planned: Planned }> => {
    const { change, planned } = await changeNode(session, command, planForReal, signal);
    return { ...change, planned };
  };
  const { planned, ...change } = await withScripts(scripted, work, signal);
  return { change: { ...change, recovered: [...recovered, ...change.recovered] }, planned };
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
