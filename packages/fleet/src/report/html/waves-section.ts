import { escapeMarkup } from '../escape-markup.ts';
import type { RunAccount, WaveAccount } from '../run-account.ts';
import { spanText } from '../span-text.ts';

/** When which wave went on: one bar each, over the time of the whole run. */
export function wavesSection(account: RunAccount): string {
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
