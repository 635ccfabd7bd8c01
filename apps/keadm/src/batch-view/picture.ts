import { isSettled, spanText, standingOf, type NodeAccount } from '@fenestra/fleet';
import { cleanText } from '@fenestra/platform/terminal-text';
import { gridOf, lookOf } from './grid.ts';
import { headLines } from './picture-head.ts';
import { cutOff, lineText, padded, span, type Span } from './spans.ts';
import type { ViewState } from './view-state.ts';

/** What the picture is drawn on. */
export interface Canvas {
  readonly columns: number;
  readonly rows: number;
  readonly colours: boolean;
  readonly now: Date;
}

type Line = readonly Span[];

/** Fewer columns than this hold no picture. */
const FEWEST_COLUMNS = 20;
const LONGEST_NAME = 24;
const STATE_COLUMNS = 13;
const BAR_COLUMNS = 10;
const MOST_FAILURES = 5;

/** The run as it is now: never more lines than there are rows, and none longer than there are columns. */
export function renderPicture(state: ViewState, canvas: Canvas): readonly string[] {
  const columns = Math.max(canvas.columns, FEWEST_COLUMNS);
  const head = headLines(state, columns, canvas.now.getTime());
  const room = Math.max(0, canvas.rows - head.length);
  const lines = [...head, ...bodyLines(state, columns, room, canvas.now.getTime())].slice(0, canvas.rows);
  return lines.map((line) => lineText(line, columns, canvas.colours));
}

function bodyLines({ account }: ViewState, columns: number, room: number, now: number): readonly Line[] {
  const nodes = [...account.nodes.values()];
  const active = nodes.filter(({ state }) => standingOf(state) === 'active');
  const failures = failureLines(nodes, Math.min(MOST_FAILURES, Math.floor(room / 4)));
  if (account.total <= room - failures.length)
    return [...nodes.map((node) => nodeLine(node, columns, now)), ...failures];
  const grid = gridLines(nodes, account.total, columns, Math.max(1, room - failures.length - fewLines(active)));
  const left = room - grid.length - failures.length;
  return [...grid, ...activeLines(active, left, columns, now), ...failures];
}

/** Some lines are always for nodes that are being worked on, however large the grid. */
function fewLines(active: readonly NodeAccount[]): number {
  return Math.min(active.length, 2);
}

function gridLines(nodes: readonly NodeAccount[], total: number, columns: number, rows: number): readonly Line[] {
  const unheard = Array.from({ length: Math.max(0, total - nodes.length) }, () => 'waiting' as const);
  const states = [...nodes.map(({ state }) => state), ...unheard];
  const grid = gridOf(states, columns, rows);
  if (grid.nodesPerCell === 1) return grid.lines;
  const smaller = gridOf(states, columns, Math.max(1, rows - 1));
  return [...smaller.lines, [span(`one character for ${smaller.nodesPerCell} nodes`, 'quiet')]];
}

function activeLines(active: readonly NodeAccount[], rows: number, columns: number, now: number): readonly Line[] {
  if (active.length <= rows) return active.map((node) => nodeLine(node, columns, now));
  if (rows <= 0) return [];
  const shown = active.slice(0, rows - 1).map((node) => nodeLine(node, columns, now));
  return [...shown, [span(`and ${active.length - shown.length} more at work`, 'quiet')]];
}

function nodeLine(node: NodeAccount, columns: number, now: number): Line {
  const { character, colour } = lookOf(node.state);
  const nameColumns = Math.min(LONGEST_NAME, Math.floor(columns / 3));
  return [
    span(`${character} `, colour),
    span(`${padded(cleanText(node.name), nameColumns)} `),
    span(padded(node.state, STATE_COLUMNS), colour),
    span(cutOff(progressText(node, now), columns), 'quiet'),
  ];
}

function progressText(node: NodeAccount, now: number): string {
  const { state, failure, text = '', attempt, changedAt } = node;
  if (failure !== undefined) return `${failure.code}: ${cleanText(failure.message)}`;
  if (state === 'delivering' && node.totalBytes > 0) return deliveryText(node);
  const again = attempt > 1 && !isSettled(state) ? `attempt ${attempt}, ` : '';
  const time = standingOf(state) === 'active' ? `${spanText(now - changedAt)}  ` : '';
  return `${again}${time}${cleanText(text)}`.trim();
}

function deliveryText({ doneBytes, totalBytes }: NodeAccount): string {
  const share = Math.min(1, doneBytes / totalBytes);
  const full = Math.floor(share * BAR_COLUMNS);
  const bar = `${'#'.repeat(full)}${'.'.repeat(BAR_COLUMNS - full)}`;
  return `[${bar}] ${Math.floor(share * 100)} % of ${(totalBytes / 1e6).toFixed(1)} MB`;
}

/** The latest failures, the last one at the bottom. */
function failureLines(nodes: readonly NodeAccount[], most: number): readonly Line[] {
  const wrong = nodes.filter(({ state }) => standingOf(state) === 'wrong');
  const latest = wrong
    .toSorted((one, other) => one.changedAt - other.changedAt)
    .slice(most === 0 ? wrong.length : -most);
  return latest.map(({ name, state, failure }) => [
    span(`${lookOf(state).character} ${cleanText(name)} `, 'wrong'),
    span(failure === undefined ? state : `${failure.code}: ${cleanText(failure.message)}`),
  ]);
}
