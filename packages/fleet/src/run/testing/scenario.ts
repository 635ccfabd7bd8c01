import type { ErrorCode } from '@fenestra/kernel';
import * as fc from 'fast-check';
import type { BatchNode } from '../../inventory/batch.ts';
import type { RunPolicy } from '../policy.ts';
import type { FarEndScript } from './far-end.ts';

/** A batch, its policy, and what its machines do. */
export interface Scenario {
  readonly policy: RunPolicy;
  readonly nodes: readonly BatchNode[];
  readonly scripts: ReadonlyMap<string, FarEndScript>;
  readonly seed: number;
}

/** Codes with which nothing may be tried again. */
export const FATAL: readonly ErrorCode[] = [
  'REMOTE_AUTH',
  'HOST_KEY_UNKNOWN',
  'HOST_KEY_CHANGED',
  'BECOME_REFUSED',
  'USAGE',
  'CONFIG_INVALID',
  'DISK_FULL',
  'REMOTE_UNSUPPORTED',
];
const PASSING: readonly ErrorCode[] = ['REMOTE_UNREACHABLE', 'REMOTE_LOST'];

/** A machine on which all goes well. */
export const WELL: FarEndScript = {
  action: 'change',
  missingBytes: 10,
  previewed: false,
  seconds: 1,
  passingFailures: 0,
  commandFails: false,
  faults: { survey: [], deliver: [], execute: [], prove: [], 'roll-back': [], tidy: [] },
};

/** A policy that lets everything go on at once, in one wave, and minds no failure. */
export const LENIENT: RunPolicy = {
  budgets: { connections: 100, bytesInFlight: 1000, disrupted: 100, disruptedPerGroup: {} },
  waves: [{ name: 'all', size: { percent: 100 }, labels: {}, soakSeconds: 0 }],
  halt: { failedPercent: 100, harmlessNodes: 0, failedNodes: 1000 },
  onHalt: 'hold',
  unreachable: 'go-on',
};

/** A node of a batch. */
function someNode(name: string, more: Partial<BatchNode> = {}): BatchNode {
  return {
    name,
    groups: [],
    labels: {},
    command: async () => ['join', '--token=secret'],
    shownCommand: ['join', '--token=***'],
    copyFrom: undefined,
    os: undefined,
    become: undefined,
    limits: { deliverSeconds: 60, commandSeconds: 60 },
    retries: { attempts: 3, firstDelaySeconds: 1, longestDelaySeconds: 60 },
    target: async () => Promise.reject(new Error('no one connects here')),
    ...more,
  };
}

/** A batch of these machines, called `n0`, `n1` and so on. */
export function scenarioOf(scripts: readonly FarEndScript[], policy: Partial<RunPolicy> = {}): Scenario {
  const nodes = scripts.map((_script, index) => someNode(`n${index}`));
  return { nodes, scripts: byName(scripts), policy: { ...LENIENT, ...policy }, seed: 1 };
}

const faults = (codes: readonly ErrorCode[]): fc.Arbitrary<readonly (ErrorCode | undefined)[]> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(undefined, ...codes), { maxLength: 4 }) },
  );

const script: fc.Arbitrary<FarEndScript> = fc.record({
  action: fc.constantFrom('change', 'change', 'change', 'nothing'),
  missingBytes: fc.nat({ max: 30 }),
  previewed: fc.constantFrom(false, false, true),
  seconds: fc.integer({ min: 1, max: 20 }),
  passingFailures: fc.constantFrom(0, 0, 0, 1, 2, 5),
  commandFails: fc.constantFrom(false, false, false, false, true),
  faults: fc.record({
    survey: faults([...PASSING, ...FATAL]),
    deliver: faults([...PASSING, 'DELIVERY_FAILED', ...FATAL]),
    execute: faults(PASSING),
    prove: faults([...PASSING, 'AGENT_UNHEALTHY']),
    'roll-back': faults([...PASSING, 'BECOME_REFUSED']),
    tidy: faults(['REMOTE_LOST']),
  }),
});

const policy: fc.Arbitrary<RunPolicy> = fc.record({
  budgets: fc.record({
    connections: fc.integer({ min: 1, max: 5 }),
    bytesInFlight: fc.integer({ min: 10, max: 60 }),
    disrupted: fc.integer({ min: 1, max: 4 }),
    disruptedPerGroup: fc.record({ a: fc.integer({ min: 1, max: 3 }), b: fc.integer({ min: 1, max: 3 }) }),
  }),
  waves: fc.tuple(
    fc.record({
      name: fc.constant('canary'),
      size: fc.oneof(fc.record({ nodes: fc.integer({ min: 1, max: 3 }) }), fc.record({ percent: fc.constant(25) })),
      labels: fc.constantFrom({}, { zone: 'north' }),
      soakSeconds: fc.constantFrom(0, 25),
    }),
    fc.record({
      name: fc.constant('rest'),
      size: fc.constant({ percent: 100 }),
      labels: fc.constant({}),
      soakSeconds: fc.constantFrom(0, 5),
    }),
  ),
  halt: fc.record({
    failedPercent: fc.constantFrom(0, 40, 100),
    harmlessNodes: fc.constantFrom(0, 2),
    failedNodes: fc.constantFrom(1, 1000),
  }),
  onHalt: fc.constantFrom('hold', 'roll-back'),
  unreachable: fc.constantFrom('go-on', 'go-on', 'go-on', 'stop'),
});

const place = fc.record({
  groups: fc.constantFrom([], ['a'], ['b'], ['a', 'b']),
  labels: fc.constantFrom({}, { zone: 'north' }),
});

/** Any batch of a few nodes. */
export const scenarios: fc.Arbitrary<Scenario> = fc
  .record({
    policy,
    machines: fc.array(fc.record({ script, place }), { minLength: 1, maxLength: 10 }),
    seed: fc.nat({ max: 1e6 }),
  })
  .map((made) => ({
    policy: made.policy,
    nodes: made.machines.map((machine, index) => someNode(`n${index}`, machine.place)),
    scripts: byName(made.machines.map((machine) => machine.script)),
    seed: made.seed,
  }));

function byName(scripts: readonly FarEndScript[]): ReadonlyMap<string, FarEndScript> {
  return new Map(scripts.map((each, index) => [`n${index}`, each]));
}
