import { setTimeout as sleep } from 'node:timers/promises';
import { edgecoreDefaults, type EdgecoreConfig } from '@fenestra/contracts';
import { silentLogger } from '@fenestra/platform';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { ModuleContext, ModuleDefinition } from './agent-module.ts';
import { superviseModules, type ModuleSupervisor } from './module-supervisor.ts';

const QUICK = { firstMs: 2, capMs: 10, healthyAfterMs: 1000 };

/** A node's configuration, distinguished by its labels: each module below reads the label with its name. */
function configWith(labels: Record<string, string>): EdgecoreConfig {
  const defaults = edgecoreDefaults('linux');
  return { ...defaults, modules: { ...defaults.modules, edged: { ...defaults.modules.edged, nodeLabels: labels } } };
}

function labelOf(config: EdgecoreConfig, name: string): string {
  return config.modules.edged.nodeLabels[name] ?? 'off';
}

/** What modules do besides noting it. */
interface Extras {
  readonly start?: (name: string, label: string) => Promise<void>;
  readonly stop?: (name: string, label: string) => Promise<void>;
}

/** Modules that note what happens to them. The value `broken` of their label keeps them from starting. */
function bench(names: readonly string[], extras: Extras = {}) {
  const events: string[] = [];
  const contexts = new Map<string, ModuleContext>();
  const definition = (name: string): ModuleDefinition => ({
    name,
    enabled: (config) => labelOf(config, name) !== 'off',
    part: (config) => labelOf(config, name),
    create(config, context) {
      const label = labelOf(config, name);
      contexts.set(name, context);
      return {
        name,
        async start() {
          if (label === 'broken') throw new Error(`${name} is broken`);
          await extras.start?.(name, label);
          events.push(`start ${name}=${label}`);
        },
        async stop() {
          events.push(`stop ${name}=${label}`);
          await extras.stop?.(name, label);
        },
        health: () => ({ state: 'healthy' }),
      };
    },
  });
  const supervisor = superviseModules({
    definitions: names.map(definition),
    log: silentLogger(),
    random: () => 0.5,
    onChange: () => {},
    restarts: QUICK,
    stopTimeoutMs: 50,
  });
  const takeEvents = (): string[] => events.splice(0);
  return { supervisor, takeEvents, fail: (name: string) => contexts.get(name)?.fail(new Error(`${name} gave up`)) };
}

function states(supervisor: ModuleSupervisor): Record<string, string> {
  return Object.fromEntries(supervisor.reports().map(({ name, state }) => [name, state]));
}

test('modules start in order, only the enabled ones, and stop in the reverse order', async () => {
  const { supervisor, takeEvents } = bench(['a', 'b', 'c']);
  await supervisor.start(configWith({ a: '1', c: '1' }));
  expect(takeEvents()).toEqual(['start a=1', 'start c=1']);
  await supervisor.stop();
  expect(takeEvents()).toEqual(['stop c=1', 'stop a=1']);
});

test('a module that can not start keeps no one from it and is tried again', async () => {
  const { supervisor } = bench(['a', 'b']);
  await supervisor.start(configWith({ a: 'broken', b: '1' }));
  expect(states(supervisor)).toEqual({ a: 'failed', b: 'healthy' });
  await vi.waitFor(() => expect(supervisor.reports()[0]?.restarts).toBeGreaterThan(2));
  expect(supervisor.reports()[0]?.reason).toBe('a is broken');
  await supervisor.stop();
});

test('a module that fails while it runs restarts alone', async () => {
  const { supervisor, takeEvents, fail } = bench(['a', 'b']);
  await supervisor.start(configWith({ a: '1', b: '1' }));
  takeEvents();
  fail('a');
  await vi.waitFor(() => expect(supervisor.reports().map(({ restarts }) => restarts)).toEqual([1, 0]));
  await vi.waitFor(() => expect(states(supervisor)).toEqual({ a: 'healthy', b: 'healthy' }));
  expect(takeEvents()).toEqual(['stop a=1', 'start a=1']);
  await supervisor.stop();
});

test('a module that hangs while it starts is given up after its time', async () => {
  const hanging: ModuleDefinition = {
    name: 'slow',
    enabled: () => true,
    part: () => 0,
    create: () => ({
      name: 'slow',
      start: async () => new Promise(() => {}),
      stop: async () => {},
      health: () => ({ state: 'healthy' }),
    }),
  };
  const supervisor = superviseModules({
    definitions: [hanging],
    log: silentLogger(),
    random: () => 0.9,
    onChange: () => {},
    startTimeoutMs: 20,
  });
  await supervisor.start(configWith({}));
  expect(supervisor.reports()).toMatchObject([{ state: 'failed', reason: expect.stringContaining('within') }]);
  await supervisor.stop();
});

test('a stop breaks off a start that hangs', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const definition: ModuleDefinition = {
    name: 'slow',
    enabled: () => true,
    part: () => 0,
    create: () => ({
      name: 'slow',
      start: async (signal) => {
        resolve();
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
      },
      stop: async () => {},
      health: () => ({ state: 'healthy' }),
    }),
  };
  const supervisor = superviseModules({
    definitions: [definition],
    log: silentLogger(),
    random: () => 1,
    onChange() {},
  });
  const starting = supervisor.start(configWith({}));
  await promise;
  const began = performance.now();
  await supervisor.stop();
  await starting;
  expect(performance.now() - began).toBeLessThan(20_000);
  expect(states(supervisor)).toEqual({ slow: 'stopped' });
});

test('a stop breaks off a reload that hangs, and nothing is started after it', async () => {
  const hangs = Promise.withResolvers<void>();
  const { supervisor, takeEvents } = bench(['a', 'b', 'c'], {
    start: async (_, label) => {
      if (label !== 'hangs') return;
      hangs.resolve();
      await new Promise(() => {});
    },
  });
  await supervisor.start(configWith({ a: '1', b: '1', c: '1' }));
  const reloading = supervisor.reload(configWith({ a: '2', b: 'hangs', c: '2' })).catch((cause: unknown) => cause);
  await hangs.promise;
  takeEvents();
  await supervisor.stop();
  expect(await reloading).toMatchObject({ code: 'INTERRUPTED' });
  expect(takeEvents()).toEqual(['stop b=hangs', 'stop c=1', 'stop a=2']);
  expect(states(supervisor)).toEqual({ a: 'stopped', b: 'stopped', c: 'stopped' });
});

test('a module that hangs while it stops keeps the others from nothing', async () => {
  const { supervisor, takeEvents } = bench(['a', 'b'], {
    stop: async (name) => (name === 'b' ? new Promise<void>(() => {}) : undefined),
  });
  await supervisor.start(configWith({ a: '1', b: '1' }));
  takeEvents();
  await supervisor.stop();
  expect(takeEvents()).toEqual(['stop b=1', 'stop a=1']);
  expect(states(supervisor)).toEqual({ a: 'stopped', b: 'stopped' });
});

test('a reload changes only the modules whose part changed', async () => {
  const { supervisor, takeEvents } = bench(['a', 'b', 'c']);
  await supervisor.start(configWith({ a: '1', b: '1' }));
  takeEvents();
  expect(await supervisor.reload(configWith({ a: '1', b: '2', c: '1' }))).toEqual(['b', 'c']);
  expect(takeEvents()).toEqual(['stop b=1', 'start b=2', 'start c=1']);
  expect(await supervisor.reload(configWith({ a: '1', b: '2', c: '1' }))).toEqual([]);
  expect(takeEvents()).toEqual([]);
  await supervisor.stop();
});

test('a reload has a running module that waits for something try again now, once', async () => {
  let tries = 0;
  const waiting: ModuleDefinition = {
    name: 'waiting',
    enabled: () => true,
    part: () => 'the same',
    create: () => ({
      name: 'waiting',
      start: async () => {},
      stop: async () => {},
      tryAgain: () => void (tries += 1),
      health: () => ({ state: 'degraded', reason: 'waits' }),
    }),
  };
  const log = silentLogger();
  const supervisor = superviseModules({ definitions: [waiting], log, random: () => 0.5, onChange: () => {} });
  await supervisor.start(configWith({}));
  expect(await supervisor.reload(configWith({}))).toEqual([]);
  expect(tries).toBe(1);
  await supervisor.stop();
});

test('a reload with which a module can not start puts the old configuration back everywhere', async () => {
  const { supervisor, takeEvents } = bench(['a', 'b', 'c']);
  await supervisor.start(configWith({ a: '1', b: '1', c: '1' }));
  takeEvents();
  const reload = supervisor.reload(configWith({ a: '2', b: 'broken', c: '2' }));
  await expect(reload).rejects.toMatchObject({ code: 'RELOAD_REVERTED', details: { module: 'b' } });
  expect(takeEvents()).toEqual([
    'stop a=1',
    'start a=2',
    'stop b=1',
    'stop b=broken',
    'start b=1',
    'stop a=2',
    'start a=1',
  ]);
  expect(states(supervisor)).toEqual({ a: 'healthy', b: 'healthy', c: 'healthy' });
  await supervisor.stop();
});

test('any series of reloads ends with exactly what the last accepted configuration enables', async () => {
  const label = fc.constantFrom('off', '1', '2', 'broken');
  const labels = fc.record({ a: label, b: label, c: label });
  await fc.assert(
    fc.asyncProperty(fc.array(labels, { maxLength: 6 }), async (changes) => {
      const { supervisor, takeEvents } = bench(['a', 'b', 'c']);
      let accepted: Record<string, string> = { a: '1', b: 'off', c: '2' };
      await supervisor.start(configWith(accepted));
      for (const next of changes) {
        const taken = await supervisor.reload(configWith(next)).then(
          () => true,
          () => false,
        );
        const startable = Object.entries(next).every(([name, value]) => value !== 'broken' || accepted[name] === value);
        expect(taken).toBe(startable);
        if (taken) accepted = next;
        const expected = Object.entries(accepted).map(([name, value]) => [
          name,
          value === 'off' ? 'stopped' : 'healthy',
        ]);
        expect(states(supervisor)).toEqual(Object.fromEntries(expected));
      }
      await supervisor.stop();
      const running = new Map<string, number>();
      for (const event of takeEvents()) {
        const [verb = '', name = ''] = event.split(/[ =]/);
        if (!event.endsWith('broken')) running.set(name, (running.get(name) ?? 0) + (verb === 'start' ? 1 : -1));
      }
      expect([...running.values()].every((count) => count === 0)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('a module that fails while a reload is under way runs once, with the new configuration', async () => {
  const stops: (() => void)[] = [];
  const stop = async (): Promise<void> => new Promise((resolve) => stops.push(resolve));
  const { supervisor, takeEvents, fail } = bench(['a'], { stop });
  await supervisor.start(configWith({ a: '1' }));
  fail('a');
  await vi.waitFor(() => expect(stops).toHaveLength(1));
  const reloading = supervisor.reload(configWith({ a: '2' }));
  stops[0]?.();
  await reloading;
  await sleep(QUICK.capMs * 5);
  expect(takeEvents()).toEqual(['start a=1', 'stop a=1', 'start a=2']);
  const stopping = supervisor.stop();
  await vi.waitFor(() => expect(stops).toHaveLength(2));
  stops[1]?.();
  await stopping;
});

test('a module that fails while it is being disabled does not come back', async () => {
  const { supervisor, takeEvents, fail } = bench(['a']);
  await supervisor.start(configWith({ a: '1' }));
  fail('a');
  await supervisor.reload(configWith({}));
  await sleep(QUICK.capMs * 5);
  expect(takeEvents()).toEqual(['start a=1', 'stop a=1']);
  await supervisor.stop();
});
