import type { BatchEvent, BatchNodeState } from '../../report/events.ts';
import type { RunResult } from '../run.ts';
import { isChanged, isRunning, type FarEnd } from './far-end.ts';
import type { World } from './simulation.ts';

const FOLLOWERS: Readonly<Record<BatchNodeState, readonly BatchNodeState[]>> = {
  waiting: ['surveying', 'delivering', 'executing', 'held'],
  surveying: ['waiting', 'unchanged', 'retrying', 'failed', 'unreachable', 'held'],
  delivering: ['surveying', 'executing', 'retrying', 'failed', 'unreachable', 'held'],
  executing: ['proving', 'retrying', 'failed', 'rolling-back'],
  proving: ['done', 'retrying', 'failed', 'rolling-back'],
  retrying: ['surveying', 'delivering', 'executing', 'proving', 'rolling-back', 'failed', 'held'],
  'rolling-back': ['rolled-back', 'retrying', 'failed'],
  unchanged: [],
  done: ['failed', 'rolling-back'],
  failed: ['rolling-back'],
  unreachable: [],
  'rolled-back': [],
  held: [],
};
/** What the made-up nodes may be tried. */
const MOST_TRIES = 3;
const DISRUPTIVE: ReadonlySet<BatchNodeState> = new Set(['executing', 'proving', 'rolling-back']);
const UNTOUCHED: ReadonlySet<BatchNodeState> = new Set(['unchanged', 'held', 'unreachable']);

/** Looks at every event: the budgets hold, and the states follow each other as they may. */
export function watchLaws(world: World): void {
  const states = new Map<string, BatchNodeState>();
  const disrupted = new Set<string>();
  let resumedSince = new Set<string>();
  world.watch = (event) => {
    if (event.type === 'run-begun') {
      resumedSince = new Set(states.keys());
      disrupted.clear();
    }
    if (event.type === 'node') {
      requireOrder(event, states.get(event.node) ?? 'waiting', resumedSince.delete(event.node));
      states.set(event.node, event.state);
      if (DISRUPTIVE.has(event.state)) disrupted.add(event.node);
      else if (event.state !== 'retrying') disrupted.delete(event.node);
    }
    requireBudgets(world, disrupted);
  };
}

/** A process that goes on begins a part again at which the one before it was. */
function requireOrder(event: Extract<BatchEvent, { type: 'node' }>, before: BatchNodeState, resumed: boolean): void {
  if (resumed && (before === event.state || before === 'held' || before === 'waiting')) return;
  // A record that got to the disk just before its process was killed was published to no one.
  if (resumed && FOLLOWERS[before].some((between) => FOLLOWERS[between].includes(event.state))) return;
  ensure(FOLLOWERS[before].includes(event.state), `${event.node}: ${before} before ${event.state}`);
}

function requireBudgets({ scenario, ends }: World, disrupted: ReadonlySet<string>): void {
  const { budgets } = scenario.policy;
  const connected = [...ends.values()].filter(({ active }) => active.size > 0);
  ensure(connected.length <= budgets.connections, 'too many connections');
  const delivering = connected.filter(({ active, script }) => active.has('deliver') && script.missingBytes > 0);
  const bytes = delivering.reduce((sum, { script }) => sum + script.missingBytes, 0);
  ensure(delivering.length < 2 || bytes <= budgets.bytesInFlight, 'too many bytes');
  ensure(disrupted.size <= budgets.disrupted, 'too many disrupted');
  for (const [group, most] of Object.entries(budgets.disruptedPerGroup)) {
    const members = scenario.nodes.filter(({ name, groups }) => disrupted.has(name) && groups.includes(group));
    ensure(members.length <= most, `too many disrupted of the group ${group}`);
  }
}

/** Looks at the end: what is said of every node is so, nothing was done twice, nothing is half-way or left behind. */
export function requireSoundEnd(world: World, result: RunResult): void {
  const now = world.clock.now().getTime();
  ensure(result.nodes.length === world.scenario.nodes.length, 'a node is missing');
  for (const { name, state } of result.nodes) {
    const end = world.ends.get(name);
    ensure(end !== undefined && end.active.size === 0, `${name} is still worked on`);
    ensure(end.wrongs.length === 0, `${name}: ${end.wrongs.join(', ')}`);
    ensure(end.starts <= MOST_TRIES, `${name} was tried ${end.starts} times`);
    ensure(isTrue(end, state, now), `${name} is not ${state}`);
    ensure(isTidyHindered(end) || (!end.littered && !isRunning(end, now)), `something is left on ${name}`);
  }
}

function isTrue(end: FarEnd, state: BatchNodeState, now: number): boolean {
  if (state === 'done') return isChanged(end, now);
  if (state === 'rolled-back') return !isChanged(end, now);
  return state === 'failed' || (UNTOUCHED.has(state) && end.starts === 0);
}

function isTidyHindered({ script }: FarEnd): boolean {
  return script.faults.tidy.some((fault) => fault !== undefined);
}

/** Far quicker than an expectation, and it is asked thousands of times. */
function ensure(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message);
}
