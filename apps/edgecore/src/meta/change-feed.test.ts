import { expect, test } from 'vitest';
import { changeFeed, type ObjectChange } from './change-feed.ts';

const NOW = new Date('2026-01-02T03:04:05.678Z');

test('a feed gives what came since a number, and nothing for numbers that are not its own', () => {
  const feed = changeFeed(() => NOW);
  const start = feed.latest;
  feed.publish([change('a'), change('b')]);
  expect(feed.since(start)?.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(feed.since(start + 1)?.map(({ name }) => name)).toEqual(['b']);
  expect(feed.since(feed.latest)).toEqual([]);
  expect([feed.since(812), feed.since(start - 1), feed.since(feed.latest + 1)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('a feed that begins later knows the numbers of an earlier one to be old', () => {
  const earlier = changeFeed(() => NOW);
  earlier.publish([change('a')]);
  const later = changeFeed(() => new Date(NOW.getTime() + 1));
  expect(later.since(earlier.latest)).toBeUndefined();
});

test('a feed keeps only so many changes, and only so much text', () => {
  const feed = changeFeed(() => NOW);
  const start = feed.latest;
  for (let count = 0; count < 250; count += 1) feed.publish([change('a')]);
  expect(feed.since(start)).toBeUndefined();
  expect(feed.since(feed.latest - 200)).toHaveLength(200);
  feed.publish([change('big', 'x'.repeat(1_500_000)), change('small')]);
  expect(feed.since(feed.latest - 2)).toHaveLength(2);
  feed.publish([change('big', 'x'.repeat(3_000_000))]);
  expect(feed.since(feed.latest - 1)).toBeUndefined();
  expect(feed.since(feed.latest)).toEqual([]);
});

test('followers hear every change until they leave', () => {
  const feed = changeFeed(() => NOW);
  const received: string[] = [];
  const leave = feed.subscribe(({ name }) => received.push(name));
  feed.publish([change('a'), change('b')]);
  leave();
  feed.publish([change('c')]);
  expect(received).toEqual(['a', 'b']);
});

function change(name: string, text = ''): ObjectChange {
  const kind = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
  return { type: 'ADDED', kind, namespace: 'default', name, object: { metadata: { name }, text } };
}
