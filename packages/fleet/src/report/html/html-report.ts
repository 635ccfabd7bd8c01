import { createHash } from 'node:crypto';
import { escapeMarkup } from '../escape-markup.ts';
import { failureGroups } from '../failure-groups.ts';
import { countStates } from '../node-states.ts';
import type { RunAccount } from '../run-account.ts';
import { spanText } from '../span-text.ts';
import { failuresSection } from './failures-section.ts';
import { nodesTable } from './nodes-table.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { PAGE_STYLE } from './page-style.ts';
import { wavesSection } from './waves-section.ts';

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
