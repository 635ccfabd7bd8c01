import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringAt, valueAt, type Json, type JsonObject } from '../objects/json.ts';
import { startTestApi, type TestApi } from '../testing/test-api.ts';
import type { TestWatch } from '../testing/test-client.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
let api: TestApi;

beforeAll(async () => void (api = await startTestApi()));
afterAll(() => api.stop());

test('a watch without a version begins with what is there', async () => {
  await put('one', '1');
  const watch = await api.admin.watch(`${MAPS}?watch=true&fieldSelector=metadata.name%3Done`);
  expect(summary(await watch.next())).toBe('ADDED one 1');
  await put('one', '2');
  expect(summary(await watch.next())).toBe('MODIFIED one 2');
  await api.admin.send('DELETE', `${MAPS}/one`);
  expect(summary(await watch.next())).toBe('DELETED one 2');
  watch.stop();
});

test('a watch goes on from the version of a list and misses nothing', async () => {
  const list = await api.admin.send('GET', MAPS);
  await put('missed', '1');
  await put('missed', '2');
  const version = stringAt(list.body, 'metadata', 'resourceVersion');
  const watch = await api.admin.watch(`${MAPS}?watch=1&resourceVersion=${version}`);
  expect([summary(await watch.next()), summary(await watch.next())]).toEqual(['ADDED missed 1', 'MODIFIED missed 2']);
  watch.stop();
});

test('an object that leaves the selection is deleted for that watch', async () => {
  await label('moves', 'in');
  const watch = await api.admin.watch(`${MAPS}?watch=true&labelSelector=place%3Din`);
  expect(stringAt(await watch.next(), 'type')).toBe('ADDED');
  await label('moves', 'out');
  const left = await watch.next();
  expect([left['type'], valueAt(left, 'object', 'metadata', 'labels', 'place')]).toEqual(['DELETED', 'in']);
  await label('moves', 'in');
  expect(stringAt(await watch.next(), 'type')).toBe('ADDED');
  watch.stop();
});

test('a version that is no longer remembered is a 410 in the stream', async () => {
  const watch = await api.admin.watch(`${MAPS}?watch=true&resourceVersion=1`);
  // The version before the first object of this API; its history begins when it was opened.
  api = await api.restart();
  watch.stop();
  const late = await api.admin.watch(`${MAPS}?watch=true&resourceVersion=1`);
  const event = await late.next();
  expect([event['type'], valueAt(event, 'object', 'code'), valueAt(event, 'object', 'reason')]).toEqual([
    'ERROR',
    410,
    'Expired',
  ]);
  await late.ended();
});

test('the newest version can be gone on from after a restart', async () => {
  const { body } = await api.admin.send('GET', MAPS);
  api = await api.restart();
  const version = stringAt(body, 'metadata', 'resourceVersion');
  const watch = await api.admin.watch(`${MAPS}?watch=true&resourceVersion=${version}`);
  await put('fresh', '1');
  expect(summary(await watch.next())).toBe('ADDED fresh 1');
  watch.stop();
});

test('initial events end with a bookmark for those who ask', async () => {
  await put('known', '1');
  const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const watch = await api.admin.watch(`${MAPS}?watch=true&fieldSelector=metadata.name%3Dknown&${query}`);
  expect(stringAt(await watch.next(), 'type')).toBe('ADDED');
  const mark = await watch.next();
  expect(mark['type']).toBe('BOOKMARK');
  expect(valueAt(mark, 'object', 'metadata', 'annotations')).toEqual({ 'k8s.io/initial-events-end': 'true' });
  watch.stop();
});

test('a watch ends when its time is over, with a last bookmark', async () => {
  const watch = await api.admin.watch(
    `${MAPS}?watch=true&resourceVersion=${api.context.objects.revision()}&timeoutSeconds=1&allowWatchBookmarks=true`,
  );
  const mark = await watch.next();
  expect([mark['type'], valueAt(mark, 'object', 'metadata', 'resourceVersion')]).toEqual([
    'BOOKMARK',
    api.context.objects.revision(),
  ]);
  await watch.ended();
});

test('many watches get one change, in the same order', async () => {
  const since = api.context.objects.revision();
  const watches = await Promise.all(
    Array.from({ length: 50 }, () => api.admin.watch(`${MAPS}?watch=true&resourceVersion=${since}`)),
  );
  for (const n of ['1', '2', '3']) await put('wide', n);
  const seen = await Promise.all(
    watches.map(async (watch) => [await watch.next(), await watch.next(), await watch.next()].map(summary).join()),
  );
  expect(new Set(seen)).toEqual(new Set(['ADDED wide 1,MODIFIED wide 2,MODIFIED wide 3']));
  for (const watch of watches) watch.stop();
});

test('a client that does not read is cut off and costs no one else anything', async () => {
  const since = api.context.objects.revision();
  const slow = await api.admin.watch(`${MAPS}?watch=true&resourceVersion=${since}`);
  slow.response.pause();
  const quick = await api.admin.watch(`${MAPS}?watch=true&resourceVersion=${since}`);
  const closed = new Promise<void>((resolve) => void slow.response.once('close', () => resolve()));
  slow.response.on('error', () => undefined);
  const large = 'x'.repeat(1_000_000);
  for (let n = 0; n < 40; n += 1) {
    await put('large', large + n);
    await quick.next();
  }
  slow.response.resume();
  await closed;
  quick.stop();
});

test('watches as tables carry the columns once', async () => {
  const accept = { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  const watch = await api.admin.watch(`${MAPS}?watch=true&resourceVersion=${api.context.objects.revision()}`, accept);
  await put('table', '1');
  await put('table', '2');
  expect(await columns(watch)).toHaveLength(1);
  expect(await columns(watch)).toHaveLength(0);
  watch.stop();
});

test('watches of a kind that is no longer served end', async () => {
  const watch = await api.admin.watch('/apis/example.com/v1/widgets?watch=true');
  for (const version of ['v1', 'v2']) api.context.registry.remove({ group: 'example.com', version, plural: 'widgets' });
  await watch.ended();
  expect((await api.admin.send('GET', '/apis/example.com/v1/widgets')).status).toBe(404);
});

async function columns(watch: TestWatch): Promise<Json | undefined> {
  return valueAt(await watch.next(), 'object', 'columnDefinitions');
}

async function put(name: string, n: string): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { n } };
  const answer = await api.admin.send('PUT', `${MAPS}/${name}`, { body });
  if (answer.status === 404) await api.admin.send('POST', MAPS, { body });
}

async function label(name: string, place: string): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { place } } };
  const answer = await api.admin.send('PUT', `${MAPS}/${name}`, { body });
  if (answer.status === 404) await api.admin.send('POST', MAPS, { body });
}

function summary(event: JsonObject): string {
  const name = stringAt(event, 'object', 'metadata', 'name');
  return `${stringAt(event, 'type')} ${name} ${stringAt(event, 'object', 'data', 'n')}`;
}
