import { createHash } from 'node:crypto';
import { PAGE_SCRIPT, PAGE_STYLE } from './page-parts.ts';
import type { NodeAccount } from './node-account.ts';
import { countStates, type FailureGroup, failureGroups } from './node-states.ts';
import { versionsText } from './node-versions.ts';
import { secondsOf } from './report.ts';
import type { RunAccount, WaveAccount } from './run-account.ts';
import { commandText, escapeMarkup, spanText } from './texts.ts';

/** A run as one page that asks no network for anything and can be read without JavaScript. */
export function htmlReport(account: RunAccount): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy()}">
<title>keadm batch ${escapeMarkup(account.run)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
${headSection(account)}
${gridSection(account)}
${wavesSection(account)}
${failuresSection(failureGroups(account.nodes.values()))}
${nodesTable(account)}
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

/** No network, and only this very script: whatever else got into the page would do nothing. */
function contentPolicy(): string {
  return `default-src 'none'; style-src 'unsafe-inline'; script-src '${digest(PAGE_SCRIPT)}'; base-uri 'none'; form-action 'none'`;
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function headSection(account: RunAccount): string {
  const { run, file, begunAt, endedAt, halted } = account;
  const of = file === undefined ? '' : ` of <code>${escapeMarkup(file)}</code>`;
  const begun = begunAt === undefined ? '' : `Begun ${new Date(begunAt).toISOString()}`;
  const took = begunAt === undefined || endedAt === undefined ? '' : `, took ${spanText(endedAt - begunAt)}`;
  const why =
    halted === undefined ? '' : `<p>Halted in wave “${escapeMarkup(halted.wave)}”: ${escapeMarkup(halted.reason)}</p>`;
  return `<header>
<h1>${outcomeText(account)}</h1>
<p class="quiet">Run <code>${escapeMarkup(run)}</code>${of}. ${begun}${took}.</p>
${why}${countTiles(account)}
</header>`;
}

function outcomeText({ outcome, total }: RunAccount): string {
  const nodes = total === 1 ? '1 node' : `${total} nodes`;
  return `${nodes}: ${outcome === undefined ? 'not at its end' : outcome.replace('-', ' ')}`;
}

function countTiles({ nodes }: RunAccount): string {
  const tiles = [...countStates(nodes.values())].map(
    ([state, count]) => `<li class="s-${state}"><b>${count}</b>${state}</li>`,
  );
  return `<ul class="counts">${tiles.join('')}</ul>`;
}

function gridSection({ nodes }: RunAccount): string {
  const cells = [...nodes.values()].map(
    ({ name, state }) => `<span class="s-${state}" title="${escapeMarkup(name)}: ${state}"></span>`,
  );
  return `<h2>All nodes</h2>\n<div class="grid">${cells.join('')}</div>`;
}

/** What went wrong, by reason: the hint once, and for each node what it said last. */
function failuresSection(groups: readonly FailureGroup[]): string {
  if (groups.length === 0) return '';
  return `<h2>Failures</h2>\n${groups.map(groupText).join('\n')}`;
}

function groupText({ code, failure, nodes }: FailureGroup): string {
  const count = nodes.length === 1 ? '1 node' : `${nodes.length} nodes`;
  return `<section class="group">
<p><b>${escapeMarkup(code)}</b> on ${count}</p>
<p>${escapeMarkup(failure.message)}</p>
<p class="quiet">${escapeMarkup(failure.hint)}</p>
${nodes.map(nodeDetails).join('\n')}
</section>`;
}

function nodeDetails({ name, failure, lines }: NodeAccount): string {
  const message = failure === undefined ? '' : `<p>${escapeMarkup(failure.message)}</p>`;
  const log =
    lines.length === 0 ? '<p class="quiet">It printed nothing.</p>' : `<pre>${escapeMarkup(lines.join('\n'))}</pre>`;
  return `<details><summary>${escapeMarkup(name)}</summary>${message}${log}</details>`;
}

/** Every node with its wave, its state, its versions, what there is to say about it, and the command. */
function nodesTable({ nodes }: RunAccount): string {
  const options = [...countStates(nodes.values()).keys()].map((state) => `<option>${state}</option>`);
  return `<h2>Nodes</h2>
<form class="filter" hidden>
<input name="text" type="search" placeholder="Filter" aria-label="Filter the nodes">
<select name="state" aria-label="State"><option value="">every state</option>${options.join('')}</select>
</form>
<div class="table"><table>
<thead><tr><th>Node</th><th>Wave</th><th>State</th><th class="number">Attempts</th><th class="number">Time</th><th>Version</th><th>What</th></tr></thead>
<tbody>
${[...nodes.values()].map(row).join('\n')}
</tbody>
</table></div>`;
}

function row(node: NodeAccount): string {
  const { name, wave = '', state, attempt, text = '', failure, begunAt } = node;
  const what = failure === undefined ? text : `${failure.code}: ${failure.message}`;
  const time = begunAt === undefined ? '' : spanText(secondsOf(node) * 1000);
  return `<tr data-state="${state}"><td class="name">${escapeMarkup(name)}</td><td>${escapeMarkup(wave)}</td><td class="state s-${state}">${state}</td><td class="number">${attempt === 0 ? '' : attempt}</td><td class="number">${time}</td><td class="name">${escapeMarkup(versionsText(node.versions, '→'))}</td><td class="what">${escapeMarkup(what)}${commandLine(node)}</td></tr>`;
}

function commandLine({ command }: NodeAccount): string {
  return command === undefined ? '' : `<code class="command">${escapeMarkup(commandText(command))}</code>`;
}

/** When which wave went on: one bar each, over the time of the whole run. */
function wavesSection(account: RunAccount): string {
  const { waves } = account;
  if (waves.length === 0) return '';
  const from = account.begunAt ?? waves[0]?.begunAt ?? 0;
  const until = Math.max(endOf(account), from + 1);
  const rows = waves.map((wave) => waveRow(wave, from, until));
  return `<h2>Waves</h2>\n<div class="waves">${rows.join('')}</div>`;
}

function waveRow({ name, nodes, begunAt, endedAt }: WaveAccount, from: number, until: number): string {
  const end = endedAt ?? until;
  const left = percent(begunAt - from, until - from);
  const width = percent(end - begunAt, until - from);
  const count = nodes.length === 1 ? '1 node' : `${nodes.length} nodes`;
  return `<span>${escapeMarkup(name)}</span><div class="track"><i style="left:${left}%;width:${width}%"></i></div><span class="quiet">${count}, ${spanText(end - begunAt)}</span>`;
}

function percent(part: number, whole: number): string {
  return Math.min(100, Math.max(0, (part / whole) * 100)).toFixed(2);
}

/** A run that has not ended goes as far as anything that is known of it. */
function endOf({ endedAt, nodes, waves }: RunAccount): number {
  if (endedAt !== undefined) return endedAt;
  const times = [...nodes.values()].map(({ changedAt }) => changedAt);
  return [...times, ...waves.map(({ begunAt }) => begunAt)].reduce((last, time) => Math.max(last, time), 0);
}
