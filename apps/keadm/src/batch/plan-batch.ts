import { newRunId, planRun, systemClock, type RunPlan, type PlannedNode } from '@fenestra/fleet';
import { ERROR_CODES } from '@fenestra/kernel';
import { throwIfAborted } from '@fenestra/platform';
import { cleanText } from '@fenestra/platform/terminal-text';
import type { CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { tableText } from '../cli/findings-text.ts';
import type { RunRequest } from './conduct-run.ts';
import { openWork } from './open-work.ts';
import { showOf } from './show.ts';

/** Looks at the nodes and says what a run would do; changes nothing. */
export async function planBatch(environment: KeadmEnvironment, request: RunRequest): Promise<CommandResult> {
  const { batch, flags } = request;
  const work = await openWork(environment, { ...request, signal: environment.signal });
  // Programs get the plan, which is what they asked for, and no events.
  const show = flags.output === 'json' ? undefined : showOf(environment, 'text');
  try {
    const plan = await planRun({
      id: newRunId(environment.now(), Math.random),
      nodes: work.nodes,
      policy: batch.policy,
      worker: work.worker,
      clock: systemClock,
      random: Math.random,
      onEvent: (event) => show?.add(event),
      signal: environment.signal,
    });
    return planResult(plan);
  } catch (error) {
    throwIfAborted('looking at the nodes', environment.signal);
    throw error;
  } finally {
    show?.end();
    await work.close();
  }
}

/** A node that could not be looked at is not a reason to keep the plan for the others back, but the caller has to know. */
export function planResult(plan: RunPlan): CommandResult {
  const isWhole = plan.nodes.every(({ fate }) => fate === 'change' || fate === 'nothing');
  return { data: { dryRun: true, ...plan }, text: planText(plan), exitCode: isWhole ? 0 : ERROR_CODES.BATCH_FAILED };
}

const HEAD = ['NODE', 'SYSTEM', 'NOW', 'WAVE', 'WHAT'];

/** What a run would do to each node, for people. */
export function planText({ nodes, waves }: RunPlan): string {
  const change = nodes.filter(({ fate }) => fate === 'change').length;
  const nothing = nodes.filter(({ fate }) => fate === 'nothing').length;
  const unknown = nodes.length - change - nothing;
  const counts = [`${change} to change`, `${nothing} up to date`, ...(unknown > 0 ? [`${unknown} unreachable`] : [])];
  const order = waves.map(({ name, nodes: members }) => `"${name}" (${members.length})`).join(', then ');
  return [
    tableText([HEAD, ...nodes.map(planRow)]),
    '',
    `${nodes.length} ${nodes.length === 1 ? 'node' : 'nodes'}: ${counts.join(', ')}`,
    ...(order === '' ? [] : [`Waves: ${order}`]),
  ].join('\n');
}

function planRow({ name, wave = '-', survey, failure, fate }: PlannedNode): readonly string[] {
  if (survey === undefined)
    return [cleanText(name), '-', '-', '-', cleanText(`${failure?.code ?? fate}: ${failure?.message ?? ''}`)];
  const now = survey.installedVersion === undefined ? survey.state : `${survey.state} ${survey.installedVersion}`;
  const bytes =
    fate === 'change' && survey.missingBytes > 0 ? `, sends ${(survey.missingBytes / 1e6).toFixed(1)} MB` : '';
  const what = failure === undefined ? `${survey.summary}${bytes}` : `${failure.code}: ${failure.message}`;
  return [cleanText(name), `${survey.os}-${survey.arch}`, cleanText(now), wave, cleanText(what)];
}
