import {
  type BatchEvent,
  growingAccount,
  type RunAccount,
  type BatchNodeState,
  isSettled,
  type NodeAccount,
} from '@fenestra/fleet';

/** All that the picture is drawn from. */
export interface ViewState {
  readonly account: RunAccount;
  readonly rates: Rates;
}

/** A view that grows with each event. */
export interface GrowingView {
  readonly view: ViewState;
  add(event: BatchEvent): void;
  /** From now on there are these waves, whatever the events had announced. */
  plan(waves: readonly string[]): void;
}

/** What there is to see after these events. */
export function viewOf(events: Iterable<BatchEvent>): ViewState {
  const growing = growingView();
  for (const event of events) growing.add(event);
  return growing.view;
}

/** A view that nothing has been added to. */
export function growingView(): GrowingView {
  const growing = growingAccount();
  let rates = NO_RATES;
  let planned: readonly string[] | undefined;
  return {
    get view() {
      const { account } = growing;
      return { account: { ...account, waveNames: planned ?? account.waveNames }, rates };
    },
    add(event) {
      const before = 'node' in event ? growing.account.nodes.get(event.node) : undefined;
      rates = ratesAfter(rates, event, before);
      growing.add(event);
    },
    plan(waves) {
      planned = waves;
    },
  };
}

/** How far back the rate of bytes looks. */
const BYTES_SPAN_MS = 10_000;
/** The same for nodes, which come in bursts. */
const NODES_SPAN_MS = 120_000;
/** What comes within this time is one sample, so that there are never many. */
const SAMPLE_MS = 500;

interface Sample {
  readonly time: number;
  readonly amount: number;
}

/** What has moved of late. */
export interface Rates {
  /** When the present wave began, or the first event came: a wave's width says nothing about the next one's. */
  readonly since: number | undefined;
  readonly bytes: readonly Sample[];
  readonly settled: readonly Sample[];
}

const NO_RATES: Rates = { since: undefined, bytes: [], settled: [] };

/** The rates after an event; `before` is the node as it was before it. */
function ratesAfter(rates: Rates, event: BatchEvent, before: NodeAccount | undefined): Rates {
  const time = Date.parse(event.time);
  const since = rates.since ?? time;
  if (event.type === 'wave-begun') return { ...rates, since: time, settled: [] };
  if (event.type === 'node-progress') {
    const amount = Math.max(0, event.doneBytes - (before?.doneBytes ?? 0));
    return { ...rates, since, bytes: added(rates.bytes, { time, amount }, BYTES_SPAN_MS) };
  }
  if (event.type !== 'node' || !isWorkedOff(event.state, before)) return { ...rates, since };
  return { ...rates, since, settled: added(rates.settled, { time, amount: 1 }, NODES_SPAN_MS) };
}

/** Nodes that were only looked at take no time to speak of, so they say nothing about the others. */
function isWorkedOff(state: BatchNodeState, before: NodeAccount | undefined): boolean {
  return isSettled(state) && before !== undefined && !['waiting', 'surveying'].includes(before.state);
}

/** Bytes a second. */
export function bytesPerSecond({ bytes, since }: Rates, now: number): number {
  return perMillisecond(bytes, since, now, BYTES_SPAN_MS) * 1000;
}

/** Nodes a minute. */
export function nodesPerMinute({ settled, since }: Rates, now: number): number {
  return perMillisecond(settled, since, now, NODES_SPAN_MS) * 60_000;
}

function perMillisecond(samples: readonly Sample[], since = 0, now: number, span: number): number {
  const elapsed = Math.min(span, Math.max(1000, now - since));
  return recent(samples, now, span).reduce((sum, { amount }) => sum + amount, 0) / elapsed;
}

function added(samples: readonly Sample[], sample: Sample, span: number): readonly Sample[] {
  const last = samples.at(-1);
  if (last === undefined || sample.time - last.time >= SAMPLE_MS)
    return [...recent(samples, sample.time, span), sample];
  return samples.with(samples.length - 1, { time: last.time, amount: last.amount + sample.amount });
}

function recent(samples: readonly Sample[], now: number, span: number): readonly Sample[] {
  const first = samples.findIndex(({ time }) => time > now - span);
  return first === -1 ? [] : samples.slice(first);
}
