import { join } from 'node:path';
import { type Message, newMessage } from '@fenestra/contracts';
import type { Json } from '@fenestra/kernel';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyMessage } from './apply-message.ts';
import type { MetaStore } from './store/meta-store.ts';
import { type HistoryStep, playHistory } from './testing/cluster-history.ts';
import { openStore } from './testing/open-store.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps' };
const PODS = { group: '', version: 'v1', plural: 'pods' };

test('any order, duplicates and restarts end with the newest of every object', () => {
  const folder = temporaryFolder();
  let run = 0;
  fc.assert(
    fc.property(deliveries, ({ history, order, restarts }) => {
      run += 1;
      const file = join(folder, `${run}.db`);
      let store = openStore(file);
      for (const [index, message] of order.entries()) {
        applyMessage(store, message);
        if (!restarts.has(index)) continue;
        store.close();
        store = openStore(file);
      }
      expect(contentOf(store)).toEqual(history.final);
      store.close();
    }),
    { numRuns: 40 },
  );
});

test('a cluster that was made again and counts from the beginning replaces what the node has', () => {
  const store = openStore(join(temporaryFolder(), 'edgecore.db'));
  const steps: readonly HistoryStep[] = [
    { name: 'a', action: 'write', seconds: 1 },
    { name: 'b', action: 'write', seconds: 1 },
    { name: 'b', action: 'delete', seconds: 1 },
  ];
  for (const message of playHistory(steps, 900).messages) applyMessage(store, message);
  const later = playHistory([...steps.slice(0, 2), { name: 'c', action: 'write', seconds: 1 }], 1);
  for (const message of later.messages.map(createdLater)) applyMessage(store, message);
  expect(contentOf(store)).toEqual(later.final);
  store.close();
});

test('a message that comes twice changes nothing the second time', () => {
  const store = openStore(join(temporaryFolder(), 'edgecore.db'));
  const insert = about('insert', 'default/pod/web', { metadata: { name: 'web', uid: 'u1' } }, '5');
  expect(applyMessage(store, insert).map(({ type }) => type)).toEqual(['ADDED']);
  expect(applyMessage(store, insert)).toEqual([]);
  const update = about('update', 'default/pod/web', { metadata: { name: 'web', uid: 'u1' }, spec: {} }, '6');
  expect(applyMessage(store, update).map(({ type }) => type)).toEqual(['MODIFIED']);
  expect(applyMessage(store, insert)).toEqual([]);
  store.close();
});

test('an object gets the kind its resource string says, in both tables', () => {
  const store = openStore(join(temporaryFolder(), 'edgecore.db'));
  applyMessage(store, about('update', 'null/node/n1', { metadata: { name: 'n1', resourceVersion: '3' } }, '3'));
  const value = '{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1","resourceVersion":"3"}}';
  expect(store.getMeta('null/node/n1')).toEqual({ key: 'null/node/n1', type: 'node', value });
  const nodes = { group: '', version: 'v1', plural: 'nodes' };
  expect(store.getObject(nodes, '', 'n1')).toEqual({
    kind: nodes,
    namespace: '',
    name: 'n1',
    resourceVersion: 3n,
    value,
  });
  store.close();
});

test('an object of a kind no one here knows is found by what it says it is', () => {
  const store = openStore(join(temporaryFolder(), 'edgecore.db'));
  const policy = { apiVersion: 'example.com/v2', kind: 'Policy', metadata: { name: 'p', namespace: 'default' } };
  applyMessage(store, about('insert', 'default/policy/p', policy, '4'));
  const kind = { group: 'example.com', version: 'v2', plural: 'policies' };
  expect(store.storedKinds()).toEqual([kind]);
  applyMessage(store, about('delete', 'default/policy/p', null, '5'));
  expect(store.listObjects(kind)).toEqual([]);
  store.close();
});

test('a repair that names an object by its uid deletes that one and no later one', () => {
  const store = openStore(join(temporaryFolder(), 'edgecore.db'));
  applyMessage(store, about('insert', 'default/pod/web', { metadata: { name: 'web', uid: 'new' } }, '9'));
  const repair = (uid: string): Message =>
    about('delete', 'default/pod/web', { metadata: { name: 'web', namespace: 'default', uid } });
  expect(applyMessage(store, repair('old'))).toEqual([]);
  expect(applyMessage(store, repair('new')).map(({ type }) => type)).toEqual(['DELETED']);
  expect(store.getObject(PODS, 'default', 'web')).toBeUndefined();
  store.close();
});

test.each([undefined, '0'])('a deletion that says no version (%s) deletes whatever version the node has', (version) => {
  const store = openStore(join(temporaryFolder(), 'edgecore.db'));
  const insert = about('insert', 'default/pod/web', { metadata: { name: 'web', uid: 'u' } }, '9');
  applyMessage(store, insert);
  const known = { name: 'web', uid: 'u', resourceVersion: version ?? '3' };
  expect(applyMessage(store, about('delete', 'default/pod/web', { metadata: known }, '3'))).toEqual([]);
  const [change] = applyMessage(store, about('delete', 'default/pod/web', { metadata: known }, version));
  expect(change?.type).toBe('DELETED');
  // What was deleted is remembered in the newest version that was seen of it.
  const late = about('update', 'default/pod/web', { metadata: { name: 'web', uid: 'u' } }, '8');
  expect(applyMessage(store, late)).toEqual([]);
  store.close();
});

test('with a pod goes what the node had to say about it', () => {
  const store = openStore(join(temporaryFolder(), 'edgecore.db'));
  store.putMeta({ key: 'default/podpatch/web', type: 'podpatch', value: '{}' });
  applyMessage(store, about('delete', 'default/pod/web', { metadata: { name: 'web', uid: 'u' } }, '9'));
  expect(store.getMeta('default/podpatch/web')).toBeUndefined();
  store.close();
});

test('a patch merges into the object, once', () => {
  const store = openStore(join(temporaryFolder(), 'edgecore.db'));
  const data = { a: '1', b: '2' };
  applyMessage(store, about('insert', 'default/configmap/c', { metadata: { name: 'c', uid: 'u' }, data }, '1'));
  const patch = about('patch', 'default/configmap/c', '{"data":{"a":null,"c":"3"}}', '2');
  applyMessage(store, patch);
  expect(applyMessage(store, patch)).toEqual([]);
  expect(JSON.parse(store.getMeta('default/configmap/c')?.value ?? '')).toMatchObject({ data: { b: '2', c: '3' } });
  expect(() => applyMessage(store, about('patch', 'default/configmap/x', '{}', '2'))).toThrow(/does not have it/);
  store.close();
});

test.each([
  ['null/nodepatch/n1', 'null/node/n1'],
  ['default/podpatch/web', 'default/pod/web'],
])('the answer to %s is kept as what was patched, %s', (patched, key) => {
  const store = openStore(join(temporaryFolder(), 'edgecore.db'));
  const object = (resourceVersion: string): Json => ({
    metadata: { name: key.split('/')[2] ?? '', uid: 'u', resourceVersion },
  });
  applyMessage(store, about('update', key, object('1'), '1'));
  const [change] = applyMessage(store, about('response', patched, { Object: object('2'), Err: null }));
  expect(change).toMatchObject({ type: 'MODIFIED', object: { metadata: { resourceVersion: '2' } } });
  expect(store.getMeta(key)?.value).toContain('"resourceVersion":"2"');
  expect(store.getMeta(patched)).toBeUndefined();
  store.close();
});

test.each<Json>([
  'OK',
  'not found',
  { ErrStatus: { code: 404 } },
  { Object: {}, Err: {} },
  { Object: null, Err: null },
])('an answer without an object never replaces what the node has: %j', (content) => {
  const store = openStore(join(temporaryFolder(), 'edgecore.db'));
  applyMessage(store, about('insert', 'default/configmap/c', { metadata: { name: 'c', uid: 'u' } }, '1'));
  expect(applyMessage(store, about('response', 'default/configmap/c', content))).toEqual([]);
  expect(contentOf(store)).toEqual(['c=1']);
  store.close();
});

test('content that is not an object is kept as it came, and an operation no one knows is refused', () => {
  const store = openStore(join(temporaryFolder(), 'edgecore.db'));
  applyMessage(store, about('update', 'default/podlist', [{ metadata: { name: 'x' } }], '1'));
  expect(store.getMeta('default/podlist')?.value).toBe('[{"metadata":{"name":"x"}}]');
  applyMessage(store, about('delete', 'default/podlist', null));
  expect(store.getMeta('default/podlist')).toBeUndefined();
  expect(() => applyMessage(store, about('createvolume', 'default/volume/v', {}))).toThrow(/Cannot do "createvolume"/);
  store.close();
});

const step: fc.Arbitrary<HistoryStep> = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  action: fc.constantFrom('write', 'write', 'delete'),
  seconds: fc.nat({ max: 2 }),
});

const deliveries = fc.array(step, { minLength: 1, maxLength: 14 }).chain((steps) => {
  const history = playHistory(steps);
  const all = [...history.messages];
  const order = fc
    .tuple(fc.shuffledSubarray(all, { minLength: all.length }), fc.shuffledSubarray(all))
    .map(([once, again]) => [...once, ...again]);
  const restarts = fc.uniqueArray(fc.nat({ max: 27 }), { maxLength: 3 }).map((places) => new Set(places));
  return fc.record({ history: fc.constant(history), order, restarts });
});

function about(operation: string, resource: string, content: Json, resourceVersion?: string): Message {
  return newMessage({ source: 'edgecontroller', group: 'resource', operation, resource, content, resourceVersion });
}

function createdLater(message: Message): Message {
  const text = JSON.stringify(message.content).replaceAll('"2026-', '"2027-');
  return { ...message, content: JSON.parse(text) };
}

function contentOf(store: MetaStore): readonly string[] {
  return store.listObjects(CONFIG_MAPS).map(({ name, resourceVersion }) => `${name}=${resourceVersion}`);
}
