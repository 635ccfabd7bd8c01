import type { PlannedNode, RunPlan } from '@fenestra/fleet';
import { cleanText } from '@fenestra/platform/terminal-text';
import { tableText } from '../cli/table-text.ts';

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
