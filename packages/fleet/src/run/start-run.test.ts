import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { planRun } from './start-run.ts';
import { runState } from './run-state.ts';
import { farEndWorker, type FarEndScript } from './testing/far-end.ts';
import { requireSoundEnd, watchLaws } from './testing/laws.ts';
import { FATAL, LENIENT, scenarioOf, scenarios, WELL } from './testing/scenario.ts';
import { newWorld, runToEnd, startIn, type Kill, type World } from './testing/simulation.ts';

const kills: fc.Arbitrary<readonly Kill[]> = fc.array(
  fc.record({ records: fc.integer({ min: 1, max: 40 }), lastWritten: fc.boolean() }),
  { minLength: 1, maxLength: 6 },
);

const startsIn = ({ ends }: World, names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (ends.get(name)?.starts ?? 0), 0);

test('any run keeps its budgets, ends every node once and leaves nothing half-way', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, async (scenario) => {
      const world = newWorld(scenario);
      watchLaws(world);
      const result = await runToEnd(world);
      requireSoundEnd(world, result);
      expect(runState(world.journal)?.outcome).toBe(result.outcome);
    }),
    { numRuns: 150 },
  );
});

test('any run that is killed at any records goes on to the same kind of end, and starts no command twice', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, kills, async (scenario, moments) => {
      const world = newWorld(scenario);
      watchLaws(world);
      requireSoundEnd(world, await runToEnd(world, moments));
    }),
    { numRuns: 150 },
  );
});

test('a sound run that is killed again and again changes every node exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(kills, async (moments) => {
      const world = newWorld(scenarioOf(Array.from({ length: 8 }, () => WELL)));
      const result = await runToEnd(world, moments);
      expect(result).toMatchObject({ outcome: 'all-well', counts: { done: 8 } });
      expect([...world.ends.values()].map(({ starts }) => starts)).toEqual(Array.from({ length: 8 }, () => 1));
    }),
    { numRuns: 40 },
  );
});

test('whatever is asked of a run and whenever, it ends, and no command is left running', async () => {
  const words = fc.constantFrom('pause', 'continue', 'hold', 'abort');
  const asked = fc.array(fc.record({ word: words, seconds: fc.nat({ max: 60 }) }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(scenarios, asked, async (scenario, requests) => {
      const world = newWorld(scenario);
      watchLaws(world);
      const run = startIn(world);
      const never = new AbortController().signal;
      const asking = requests.map(async ({ word, seconds }) => {
        await world.clock.wait(seconds * 1000, never);
        run[word]();
      });
      // Who pauses and goes away for ever has not finished.
      const late = world.clock.wait(1e9, never).then(() => run.continue());
      const result = await world.clock.drive(run.ended);
      requireSoundEnd(world, result);
      await world.clock.drive(Promise.all([...asking, late]));
    }),
    { numRuns: 100 },
  );
});

test('after a halt no node of a later wave was touched', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, async (scenario) => {
      const world = newWorld(scenario);
      await runToEnd(world);
      const state = runState(world.journal);
      if (state?.halt === undefined) return;
      const later = (state.waves ?? []).slice(
        (state.waves ?? []).findIndex(({ name }) => name === state.halt?.wave) + 1,
      );
      for (const name of later.flatMap(({ nodes }) => nodes)) {
        expect(world.ends.get(name)?.calls.get('deliver')).toBeUndefined();
        expect(state.nodes.get(name)?.state).toBe('held');
      }
    }),
    { numRuns: 100 },
  );
});

test.each(FATAL)('%s is never tried again', async (code) => {
  const script: FarEndScript = { ...WELL, faults: { ...WELL.faults, deliver: [code] } };
  const world = newWorld(scenarioOf([script]));
  const result = await runToEnd(world);
  expect(result).toMatchObject({ outcome: 'some-failed', nodes: [{ state: 'failed', failure: { code } }] });
  expect(world.ends.get('n0')?.calls.get('deliver')).toBe(1);
});

test('what may pass is tried again, with the connection given back in the meantime', async () => {
  const flaky: FarEndScript = { ...WELL, faults: { ...WELL.faults, deliver: ['REMOTE_LOST', 'DELIVERY_FAILED'] } };
  const world = newWorld(scenarioOf([flaky, WELL], { budgets: { ...LENIENT.budgets, connections: 1 } }));
  expect(await runToEnd(world)).toMatchObject({ outcome: 'all-well' });
  const order = world.events.flatMap((event) => (event.type === 'node' ? [`${event.node} ${event.state}`] : []));
  expect(order.indexOf('n1 done')).toBeLessThan(order.indexOf('n0 executing'));
  expect(order.filter((each) => each === 'n0 retrying')).toHaveLength(2);
});

test('a connection lost while the command runs is resumed again; the command is not', async () => {
  const world = newWorld(scenarioOf([{ ...WELL, faults: { ...WELL.faults, execute: ['REMOTE_LOST'] } }]));
  expect(await runToEnd(world)).toMatchObject({ outcome: 'all-well' });
  expect(world.ends.get('n0')).toMatchObject({ starts: 1 });
});

const BUSY_CLOUD: FarEndScript = { ...WELL, passingFailures: 1 };

test('a command that fails because of something that may pass is begun afresh, as often as the node may be tried', async () => {
  const scripts = [1, 2, 5].map((passingFailures) => ({ ...WELL, passingFailures }));
  const world = newWorld(scenarioOf(scripts));
  const { nodes } = await runToEnd(world);
  expect(nodes.map(({ state }) => state)).toEqual(['done', 'done', 'failed']);
  expect([...world.ends.values()].map(({ starts }) => starts)).toEqual([2, 3, 3]);
  const reported = world.events.flatMap((event) =>
    event.type === 'node' && event.node === 'n0' && event.state === 'retrying' ? [event] : [],
  );
  expect(reported).toMatchObject([{ attempt: 2, failure: { code: 'REMOTE_COMMAND_FAILED' } }]);
});

test('a run that is killed at any record between two tries at a command does neither of them twice', async () => {
  const whole = newWorld(scenarioOf([BUSY_CLOUD]));
  await runToEnd(whole);
  for (let records = 1; records <= whole.journal.length; records += 1) {
    for (const lastWritten of [true, false]) {
      const world = newWorld(scenarioOf([BUSY_CLOUD]));
      const result = await runToEnd(world, [{ records, lastWritten }]);
      requireSoundEnd(world, result);
      expect([result.outcome, world.ends.get('n0')?.starts]).toEqual(['all-well', 2]);
    }
  }
});

test.each(['hold', 'abort'] as const)(
  '%s leaves a command that has failed as it is, and waits for nothing',
  async (word) => {
    const world = newWorld(scenarioOf([BUSY_CLOUD]));
    const run = startIn(world);
    world.watch = (event) => {
      if (event.type === 'node' && event.state === 'retrying') run[word]();
    };
    const result = await world.clock.drive(run.ended);
    requireSoundEnd(world, result);
    expect(result.nodes).toMatchObject([{ state: 'failed', failure: { code: 'REMOTE_COMMAND_FAILED' } }]);
    expect(world.ends.get('n0')).toMatchObject({ starts: 1, rolledBack: false });
  },
);

test('a hold that keeps a node from its next try is none by the rules: nothing is rolled back', async () => {
  const policy = { halt: { failedPercent: 0, harmlessNodes: 0, failedNodes: 0 }, onHalt: 'roll-back' } as const;
  const world = newWorld(scenarioOf([WELL, { ...BUSY_CLOUD, seconds: 60 }], policy));
  const run = startIn(world);
  world.watch = (event) => {
    if (event.type === 'node' && event.state === 'retrying') run.hold();
  };
  const result = await world.clock.drive(run.ended);
  requireSoundEnd(world, result);
  expect(result.nodes.map(({ state }) => state)).toEqual(['done', 'failed']);
});

test('a halt that came before the next try leaves that to no later process', async () => {
  const busy = { ...BUSY_CLOUD, seconds: 2 };
  const failing = { ...WELL, seconds: 9, commandFails: true };
  const scenario = scenarioOf([busy, failing, WELL], { waves: FIRST_TWO, halt: STRICT });
  const slow = scenario.nodes.map((node) => ({
    ...node,
    retries: { attempts: 3, firstDelaySeconds: 9999, longestDelaySeconds: 9999 },
  }));
  const patient = { ...scenario, nodes: slow };
  const whole = newWorld(patient);
  await runToEnd(whole);
  const records = whole.journal.findIndex(({ type }) => type === 'halted') + 1;
  const world = newWorld(patient);
  const { nodes } = await runToEnd(world, [{ records, lastWritten: true }]);
  expect(nodes.map(({ state }) => state)).toEqual(['failed', 'failed', 'held']);
  expect(world.ends.get('n0')?.starts).toBe(1);
});

const CANARY = [
  { name: 'canary', size: { nodes: 2 }, labels: {}, soakSeconds: 30 },
  { name: 'rest', size: { percent: 100 }, labels: {}, soakSeconds: 0 },
];
const STRICT = { failedPercent: 0, harmlessNodes: 0, failedNodes: 0 };
const FIRST_TWO = [
  { name: 'first', size: { nodes: 2 }, labels: {}, soakSeconds: 0 },
  { name: 'rest', size: { percent: 100 }, labels: {}, soakSeconds: 0 },
];

test('a canary that falls ill while it soaks halts the run, and its wave is rolled back', async () => {
  const ill: FarEndScript = { ...WELL, faults: { ...WELL.faults, prove: [undefined, undefined, 'AGENT_UNHEALTHY'] } };
  const world = newWorld(scenarioOf([ill, WELL, WELL, WELL], { waves: CANARY, halt: STRICT, onHalt: 'roll-back' }));
  expect(await runToEnd(world)).toMatchObject({
    outcome: 'halted',
    nodes: [
      { state: 'rolled-back', failure: { code: 'AGENT_UNHEALTHY' } },
      { state: 'rolled-back', failure: undefined },
      { state: 'held' },
      { state: 'held' },
    ],
  });
  expect(startsIn(world, ['n2', 'n3'])).toBe(0);
  const halted = world.events.find((event) => event.type === 'halted');
  expect(halted).toMatchObject({ wave: 'canary', by: 'rule', reason: expect.stringContaining('1 of the 2 nodes') });
});

test('a halt lets what is being changed finish, and does not begin what was only delivered', async () => {
  const slow = { ...WELL, seconds: 3 };
  const failing = { ...WELL, commandFails: true };
  const budgets = { ...LENIENT.budgets, disrupted: 2 };
  const world = newWorld(scenarioOf([failing, slow, WELL, WELL], { halt: STRICT, budgets }));
  const { nodes } = await runToEnd(world);
  expect(nodes.map(({ state }) => state)).toEqual(['failed', 'held', 'done', 'held']);
});

test('a run that was held goes on with what is left, and a halt by rule lies behind it', async () => {
  const failing = { ...WELL, commandFails: true };
  const world = newWorld(scenarioOf([failing, WELL, WELL], { waves: FIRST_TWO, halt: STRICT }));
  expect(await runToEnd(world)).toMatchObject({ outcome: 'halted', counts: { failed: 1, done: 1, held: 1 } });
  expect(await runToEnd(world)).toMatchObject({ outcome: 'some-failed', counts: { failed: 1, done: 2 } });
});

test('a node that was being sent something is looked at again by the process that goes on', async () => {
  const whole = newWorld(scenarioOf([WELL]));
  await runToEnd(whole);
  const records = whole.journal.findIndex((record) => record.type === 'node' && record.state === 'delivering') + 1;
  const world = newWorld(scenarioOf([WELL]));
  await runToEnd(world, [{ records, lastWritten: true }]);
  expect(world.ends.get('n0')).toMatchObject({ starts: 1 });
  expect(world.ends.get('n0')?.calls.get('survey')).toBe(2);
});

test('a rule that was broken just before the process was killed halts the next one', async () => {
  const scenario = scenarioOf([{ ...WELL, commandFails: true }, WELL, WELL], { waves: FIRST_TWO, halt: STRICT });
  const whole = newWorld(scenario);
  await runToEnd(whole);
  const records = whole.journal.findIndex(({ type }) => type === 'halted') + 1;
  const world = newWorld(scenario);
  const result = await runToEnd(world, [{ records, lastWritten: false }]);
  expect(result).toMatchObject({ outcome: 'halted', nodes: [{ state: 'failed' }, {}, { state: 'held' }] });
});

test('an abort undoes what is in flight, and nothing else', async () => {
  const world = newWorld(scenarioOf([WELL, { ...WELL, seconds: 10 }, WELL], { waves: FIRST_TWO }));
  const run = startIn(world);
  world.watch = (event) => {
    if (event.type === 'node' && event.node === 'n1' && event.state === 'executing') run.abort();
  };
  const result = await world.clock.drive(run.ended);
  expect(result.outcome).toBe('aborted');
  expect(result.nodes.map(({ state }) => state)).toEqual(['done', 'rolled-back', 'held']);
  requireSoundEnd(world, result);
});

test('a policy that wants every node there begins with none if one is missing', async () => {
  const away: FarEndScript = {
    ...WELL,
    faults: { ...WELL.faults, survey: Array.from({ length: 3 }, () => 'REMOTE_UNREACHABLE' as const) },
  };
  const world = newWorld(scenarioOf([WELL, away], { unreachable: 'stop' }));
  expect(await runToEnd(world)).toMatchObject({ outcome: 'halted', counts: { held: 1, unreachable: 1 } });
  expect(startsIn(world, ['n0'])).toBe(0);
});

test('a run does not go on with a batch file that says something else', async () => {
  const world = newWorld(scenarioOf([WELL]));
  await world.clock.drive(startIn(world, { records: 4, lastWritten: true }).ended).catch(() => undefined);
  const before = world.journal.length;
  const nodes = world.scenario.nodes.map((node) => ({ ...node, shownCommand: ['reset'] }));
  await expect(startIn(world, undefined, { nodes }).ended).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  expect(world.journal).toHaveLength(before);
});

test('a process that has to go leaves everything as it is', async () => {
  const world = newWorld(scenarioOf([{ ...WELL, seconds: 10 }]));
  const signal = new AbortController();
  const run = startIn(world, undefined, { signal: signal.signal });
  world.watch = (event) => {
    if (event.type === 'node' && event.state === 'proving') signal.abort(new Error('the machine shuts down'));
  };
  await expect(world.clock.drive(run.ended)).rejects.toThrow('the machine shuts down');
  expect(world.ends.get('n0')).toMatchObject({ starts: 1, rolledBack: false, littered: true });
  expect(await runToEnd(world)).toMatchObject({ outcome: 'all-well' });
});

test('a plan says what would happen, and nothing does', async () => {
  const away: FarEndScript = { ...WELL, faults: { ...WELL.faults, survey: ['REMOTE_AUTH'] } };
  const world = newWorld(scenarioOf([WELL, { ...WELL, action: 'nothing' }, away, WELL]));
  const plan = planRun({
    id: 'run-1',
    nodes: world.scenario.nodes,
    policy: world.scenario.policy,
    worker: farEndWorker(world.ends, world.clock),
    clock: world.clock,
    random: () => 0,
    onEvent: () => undefined,
    signal: new AbortController().signal,
  });
  expect(await world.clock.drive(plan)).toMatchObject({
    waves: [{ name: 'all', nodes: ['n0', 'n3'] }],
    nodes: [
      { fate: 'change', wave: 'all' },
      { fate: 'nothing', wave: undefined },
      { fate: 'failed', failure: { code: 'REMOTE_AUTH' } },
      { fate: 'change' },
    ],
  });
  expect(startsIn(world, ['n0', 'n3'])).toBe(0);
});

test('a node that is up to date is tidied, and one that waited for its turn without success is left alone', async () => {
  const failing = { ...WELL, commandFails: true };
  const scripts: readonly FarEndScript[] = [failing, { ...WELL, action: 'nothing' }, WELL, WELL];
  const world = newWorld(
    scenarioOf(scripts, { waves: FIRST_TWO, halt: STRICT, budgets: { ...LENIENT.budgets, connections: 1 } }),
  );
  const { nodes } = await runToEnd(world);
  expect(nodes.map(({ state }) => state)).toEqual(['failed', 'unchanged', 'held', 'held']);
  expect([...world.ends.values()].map(({ calls }) => calls.get('tidy') ?? 0)).toEqual([1, 1, 0, 0]);
});

test('what the rollback needs is kept until it is known that no one goes it', async () => {
  const failing = { ...WELL, seconds: 9, commandFails: true };
  const world = newWorld(scenarioOf([WELL, WELL, failing], { halt: STRICT, onHalt: 'roll-back' }));
  const { nodes } = await runToEnd(world);
  expect(nodes.map(({ state }) => state)).toEqual(['rolled-back', 'rolled-back', 'rolled-back']);
  requireSoundEnd(world, { outcome: 'halted', counts: {}, nodes });
});

test('the journal holds no secret', async () => {
  const world = newWorld(scenarioOf([WELL]));
  await runToEnd(world);
  expect(JSON.stringify(world.journal)).not.toContain('secret');
});
