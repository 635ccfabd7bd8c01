import { countStates, isSettled, spanText, standingOf, type RunAccount } from '@fenestra/fleet';
import { cleanText } from '@fenestra/platform/terminal-text';
import { bytesPerSecond, nodesPerMinute, type Rates, type ViewState } from './view-state.ts';
import { span, type Span } from './spans.ts';

type Line = readonly Span[];

/** The run as a whole, in four lines: what goes on, how much of it is done, the counts, and how fast. */
export function headLines({ account, rates }: ViewState, columns: number, now: number): readonly Line[] {
  const settled = [...account.nodes.values()].filter(({ state }) => isSettled(state)).length;
  return [
    titleLine(account, now),
    barLine(settled, account.total, columns),
    countLine(account),
    rateLine(account, rates, settled, now),
  ];
}

function titleLine(account: RunAccount, now: number): Line {
  const elapsed = account.begunAt === undefined ? '' : `  ${spanText(now - account.begunAt)}`;
  return [span(account.run, 'strong'), span(`  ${stageText(account, now)}${elapsed}`), ...warning(account)];
}

function stageText({ waves, waveNames }: RunAccount, now: number): string {
  const wave = waves.findLast(({ endedAt }) => endedAt === undefined) ?? waves.at(-1);
  if (wave === undefined) return 'looks at the nodes';
  const position = Math.max(waveNames.indexOf(wave.name), waves.indexOf(wave)) + 1;
  const gate = gateText(wave.soakingUntil, now);
  return `wave ${position} of ${Math.max(waveNames.length, waves.length)} "${cleanText(wave.name)}"${gate}`;
}

/** A wave soaks, then its nodes have to prove again that they work. */
function gateText(soakingUntil: number | undefined, now: number): string {
  if (soakingUntil === undefined) return '';
  return soakingUntil > now ? `, soaks for ${spanText(soakingUntil - now)}` : ', proves its nodes again';
}

function warning({ paused, halted }: RunAccount): readonly Span[] {
  if (halted !== undefined) return [span(`  HALTED: ${cleanText(halted.reason)}`, 'wrong')];
  return paused ? [span('  PAUSED until "keadm batch continue"', 'warning')] : [];
}

function barLine(settled: number, total: number, columns: number): Line {
  const share = total === 0 ? 0 : settled / total;
  const label = ` ${settled} of ${total}  ${Math.floor(share * 100)} %`;
  const width = Math.max(1, columns - label.length - 2);
  const full = Math.floor(share * width);
  return [span('['), span('#'.repeat(full), 'well'), span('.'.repeat(width - full), 'quiet'), span(`]${label}`)];
}

function countLine({ nodes, total }: RunAccount): Line {
  const counts = [...countStates(nodes.values())].filter(([state]) => state !== 'waiting');
  const received = counts.reduce((sum, [, count]) => sum + count, 0);
  const waiting = total - received;
  const spans = counts.flatMap(([state, count]) => [
    span(`${state} `),
    span(String(count), standingOf(state) === 'wrong' ? 'wrong' : 'strong'),
    span('  '),
  ]);
  return waiting > 0 ? [...spans, span('waiting '), span(String(waiting), 'strong')] : spans;
}

function rateLine(account: RunAccount, rates: Rates, settled: number, now: number): Line {
  const nodes = nodesPerMinute(rates, now);
  const bytes = bytesPerSecond(rates, now);
  const parts = [
    ...(nodes > 0 ? [`${nodes.toFixed(nodes < 10 ? 1 : 0)} nodes/min`] : []),
    ...(bytes > 0 ? [`${(bytes / 1e6).toFixed(1)} MB/s`] : []),
    ...timeLeft(account, settled, nodes),
  ];
  return [span(parts.join('  '), 'quiet')];
}

/** A guess by the wave's rate; nothing is better than a wild one, so there is none while a wave is only waited for. */
function timeLeft({ total, waves }: RunAccount, settled: number, rate: number): readonly string[] {
  const left = total - settled;
  const isHeld = waves.some(({ soakingUntil, endedAt }) => soakingUntil !== undefined && endedAt === undefined);
  return left <= 0 || rate <= 0 || isHeld ? [] : [`about ${spanText((left / rate) * 60_000)} left`];
}
