import { escapeMarkup } from '../escape-markup.ts';
import type { FailureGroup } from '../failure-groups.ts';
import type { NodeAccount } from '../node-account.ts';

/** What went wrong, by reason: the hint once, and for each node what it said last. */
export function failuresSection(groups: readonly FailureGroup[]): string {
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
    lines.length === 0 ? '<p class="quiet">It said nothing.</p>' : `<pre>${escapeMarkup(lines.join('\n'))}</pre>`;
  return `<details><summary>${escapeMarkup(name)}</summary>${message}${log}</details>`;
}
