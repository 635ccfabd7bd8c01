import { commandText } from '../command-text.ts';
import { escapeMarkup } from '../escape-markup.ts';
import type { NodeAccount } from '../node-account.ts';
import { countStates } from '../node-states.ts';
import { versionsText } from '../node-versions.ts';
import { secondsOf } from '../report-data.ts';
import type { RunAccount } from '../run-account.ts';
import { spanText } from '../span-text.ts';

/** Every node with its wave, its state, its versions, what there is to say about it, and the command. */
export function nodesTable({ nodes }: RunAccount): string {
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
