import type { RunState } from '../run/run-state.ts';
import type { BatchEvent } from './events.ts';
import { type NodeAccount, nodesAfter } from './node-account.ts';
import { versionsOf } from './node-versions.ts';

/** One wave of a run. */
export interface WaveAccount {
  readonly name: string;
  readonly nodes: readonly string[];
  readonly begunAt: number;
  readonly soakingUntil: number | undefined;
  readonly endedAt: number | undefined;
}

/** What has halted a run: a rule of the file, or someone who asked. */
type HaltedBy = NonNullable<Extract<BatchEvent, { type: 'halted' }>['by']>;

/** A run, as its events tell of it: what the picture, the summary and the reports are made of. */
export interface RunAccount {
  readonly run: string;
  readonly file: string | undefined;
  readonly total: number;
  readonly resumed: boolean;
  /** The names of all the waves, those to come included, as far as they are known. */
  readonly waveNames: readonly string[];
  readonly begunAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly paused: boolean;
  readonly halted: { readonly wave: string; readonly reason: string; readonly by: HaltedBy } | undefined;
  readonly outcome: Extract<BatchEvent, { type: 'run-ended' }>['outcome'] | undefined;
  readonly waves: readonly WaveAccount[];
  /** In the order in which they were first heard of. */
  readonly nodes: ReadonlyMap<string, NodeAccount>;
}

/** An account that grows with each event. */
export interface GrowingAccount {
  /** The account so far; asked again, it is another one. */
  readonly account: RunAccount;
  add(event: BatchEvent): void;
}

const NOTHING_YET: Omit<RunAccount, 'nodes'> = {
  run: '',
  file: undefined,
  total: 0,
  resumed: false,
  waveNames: [],
  begunAt: undefined,
  endedAt: undefined,
  paused: false,
  halted: undefined,
  outcome: undefined,
  waves: [],
};

/** What all these events say together. */
export function accountOf(events: Iterable<BatchEvent>): RunAccount {
  const growing = growingAccount();
  for (const event of events) growing.add(event);
  return growing.account;
}

/** An account that nothing has been added to. The map of nodes is one and grows: a thousand copies a second would not do. */
export function growingAccount(): GrowingAccount {
  const nodes = new Map<string, NodeAccount>();
  let run = NOTHING_YET;
  return {
    get account() {
      return { ...run, nodes };
    },
    add(event) {
      run = runAfter(run, event);
      for (const node of nodesAfter(nodes, event)) nodes.set(node.name, node);
    },
  };
}

type Run = typeof NOTHING_YET;

function runAfter(run: Run, event: BatchEvent): Run {
  switch (event.type) {
    case 'run-begun':
      return begin(run, event);
    case 'wave-begun':
      return { ...run, waves: putWave(run.waves, newWave(event)) };
    case 'wave-soaking':
      return changeWave(run, event.wave, { soakingUntil: Date.parse(event.time) + event.seconds * 1000 });
    case 'wave-ended':
      return changeWave(run, event.wave, { soakingUntil: undefined, endedAt: Date.parse(event.time) });
    case 'paused':
    case 'resumed':
      return { ...run, paused: event.type === 'paused' };
    case 'halted':
      return { ...run, halted: { wave: event.wave, reason: event.reason, by: event.by ?? 'rule' } };
    case 'run-ended':
      return { ...run, endedAt: Date.parse(event.time), outcome: event.outcome };
    case 'node':
    case 'node-progress':
    case 'node-log':
      return run;
  }
}

/** A run that goes on is the same run: it began when it began, and how it had ended no longer counts. */
function begin(run: Run, { time, run: name, nodes, resumed, waves }: Extract<BatchEvent, { type: 'run-begun' }>): Run {
  return {
    ...run,
    run: name,
    total: nodes,
    resumed,
    waveNames: waves ?? run.waveNames,
    begunAt: run.begunAt ?? Date.parse(time),
    endedAt: undefined,
    paused: false,
    halted: undefined,
    outcome: undefined,
  };
}

function newWave({ wave, nodes, time }: Extract<BatchEvent, { type: 'wave-begun' }>): WaveAccount {
  return { name: wave, nodes, begunAt: Date.parse(time), soakingUntil: undefined, endedAt: undefined };
}

/** A wave that begins again after an interruption keeps its place and the time at which it first began. */
function putWave(waves: readonly WaveAccount[], wave: WaveAccount): readonly WaveAccount[] {
  const earlier = waves.find(({ name }) => name === wave.name);
  if (earlier === undefined) return [...waves, wave];
  const nodes = [...new Set([...earlier.nodes, ...wave.nodes])];
  return waves.map((each) => (each === earlier ? { ...wave, nodes, begunAt: earlier.begunAt } : each));
}

function changeWave(run: Run, name: string, change: Partial<WaveAccount>): Run {
  return { ...run, waves: run.waves.map((wave) => (wave.name === name ? { ...wave, ...change } : wave)) };
}

/** The account with what the journal knows besides the events: the file, the planned waves, commands and versions. */
export function describedAccount(account: RunAccount, state: RunState | undefined): RunAccount {
  if (state === undefined) return account;
  const nodes = new Map(account.nodes);
  for (const { name, shownCommand } of state.opened.nodes) {
    const [node, standing] = [nodes.get(name), state.nodes.get(name)];
    if (node === undefined || standing === undefined) continue;
    nodes.set(name, { ...node, command: shownCommand, versions: versionsOf(standing) });
  }
  const waveNames = state.waves?.map(({ name }) => name) ?? account.waveNames;
  return { ...account, file: state.opened.batch.file, waveNames, nodes };
}
