import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ObservedContainer, ObservedSandbox } from '../observed.ts';
import {
  containersToRemove,
  logFoldersToRemove,
  type ContainerCollectionFacts,
  type OfPod,
} from './container-collection.ts';

function container(id: string, fields: Partial<OfPod<ObservedContainer>> = {}): OfPod<ObservedContainer> {
  const plain = { name: 'main', sandboxId: 's0', attempt: 0, createdAt: 0, image: 'a', imageId: 'a', hash: '' };
  return { ...plain, id, podUid: 'live', state: 'exited', ...fields };
}

function sandbox(id: string, fields: Partial<OfPod<ObservedSandbox>> = {}): OfPod<ObservedSandbox> {
  return { id, podUid: 'live', attempt: 0, ready: false, createdAt: 0, ips: [], hostNetwork: false, ...fields };
}

const facts: ContainerCollectionFacts = {
  containers: [],
  sandboxes: [],
  livePods: new Set(['live']),
  keptInstances: 1,
  minAgeMs: 0,
  now: 1000,
};

test('the last ended instance of a container of a live pod is kept', () => {
  const containers = [
    container('c0'),
    container('c1', { attempt: 1 }),
    container('c2', { attempt: 2, state: 'running' }),
  ];
  expect(containersToRemove({ ...facts, containers })).toMatchObject({ removeContainers: ['c0'], stop: [] });
});

test('nothing of a pod that is gone is kept, and what may run is stopped first', () => {
  const containers = [container('c0', { podUid: 'gone', state: 'unknown' })];
  const sandboxes = [sandbox('s0', { podUid: 'gone' })];
  expect(containersToRemove({ ...facts, containers, sandboxes })).toEqual({
    stop: ['c0'],
    removeContainers: ['c0'],
    removeSandboxes: ['s0'],
  });
});

test('sandboxes stay while they run, hold a container, or are the last of a live pod', () => {
  const sandboxes = [
    sandbox('s0'),
    sandbox('s1', { attempt: 1 }),
    sandbox('s2', { attempt: 2 }),
    sandbox('gone', { podUid: 'gone', ready: true }),
  ];
  expect(containersToRemove({ ...facts, containers: [container('c0')], sandboxes }).removeSandboxes).toEqual(['s1']);
});

test('a young container stays', () => {
  const containers = [container('c0', { podUid: 'gone', createdAt: 900 })];
  expect(containersToRemove({ ...facts, containers, minAgeMs: 500 }).removeContainers).toEqual([]);
});

test('a container that runs is never removed, and a second collection finds nothing', () => {
  const any = fc.record({
    id: fc.uuid(),
    podUid: fc.constantFrom('live', 'gone'),
    name: fc.constantFrom('a', 'b'),
    attempt: fc.nat(3),
    state: fc.constantFrom('created', 'running', 'exited', 'unknown'),
  });
  fc.assert(
    fc.property(fc.uniqueArray(any, { selector: ({ id }) => id }), (items) => {
      const containers = items.map(({ id, ...fields }) => container(id, fields));
      const { removeContainers } = containersToRemove({ ...facts, containers });
      const remaining = containers.filter(({ id }) => !removeContainers.includes(id));
      expect(remaining.filter(({ state }) => state === 'running')).toEqual(
        containers.filter(({ state }) => state === 'running'),
      );
      expect(containersToRemove({ ...facts, containers: remaining }).removeContainers).toEqual([]);
    }),
  );
});

test('only folders of logs whose pods are gone are removed', () => {
  const pods = [{ namespace: 'shop', name: 'web', uid: 'live' }];
  expect(logFoldersToRemove(['shop_web_live', 'shop_web_gone', 'other'], pods)).toEqual(['shop_web_gone']);
});
