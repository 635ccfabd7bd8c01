import { join } from 'node:path';
import type { Json } from '@fenestra/kernel';
import { type Pod, podProblemText, readPod } from '@fenestra/pods';
import { jsonLogger } from '@fenestra/platform';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../meta/testing/open-store.ts';
import { runMemory } from '../meta/testing/running-memory.ts';
import { temporaryFolder } from '../meta/testing/temporary-folder.ts';
import { podTokens } from './pod-tokens.ts';

const { signal } = new AbortController();
const START = Date.parse('2026-01-01T00:00:00Z');
const HOUR = 3_600_000;
const KEY = '["vault",3600]';

const pod = podOf({ audience: 'vault', expirationSeconds: 3600, path: 'token' });

function podOf(serviceAccountToken: Json): Pod {
  const volumes = [{ name: 'v', projected: { sources: [{ serviceAccountToken }] } }];
  const reading = readPod({
    metadata: { name: 'web', namespace: 'shop', uid: 'uid-1' },
    spec: { serviceAccountName: 'runner', containers: [{ name: 'c', image: 'i' }], volumes },
  });
  if ('pod' in reading) return reading.pod;
  throw new Error(reading.problems.map(podProblemText).join());
}

/** A node with a separate clock, whose cloud hands out `token-1`, `token-2` and so on. */
async function node() {
  const file = join(temporaryFolder(), 'edgecore.db');
  const { cloud, memory, restart, stop } = await runMemory(file);
  onTestFinished(stop);
  const clock = { now: START };
  const logged: string[] = [];
  const log = jsonLogger(
    (line) => void logged.push(line),
    'debug',
    () => new Date(),
  );
  let given = 0;
  const answer = { make: (): Json => ({ metadata: { name: 'runner' }, status: { token: `token-${(given += 1)}` } }) };
  cloud.answerBy(({ route }) => (route.operation === 'query' ? answer.make() : undefined));
  cloud.connect();
  const make = () => podTokens({ memory, log, now: () => clock.now });
  return { file, cloud, memory, restart, stop, clock, logged, answer, make };
}

async function tokenOf(tokens: ReturnType<typeof podTokens>): Promise<string | undefined> {
  return (await tokens.current(pod, signal)).get(KEY);
}

test('a token is asked for once, for this pod, and kept for the next start of the agent without a cloud', async () => {
  const { cloud, make, restart } = await node();
  const tokens = make();
  expect(await tokenOf(tokens)).toBe('token-1');
  expect(await tokenOf(tokens)).toBe('token-1');
  expect(cloud.received).toMatchObject([
    {
      route: { source: 'edged', group: 'meta', operation: 'query', resource: 'shop/serviceaccounttoken/runner' },
      content: {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {
          audiences: ['vault'],
          expirationSeconds: 3600,
          boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'uid-1' },
        },
      },
    },
  ]);
  cloud.disconnect();
  await restart();
  expect(await tokenOf(make())).toBe('token-1');
});

test('a token is renewed when most of its life is over', async () => {
  const { make, clock } = await node();
  const tokens = make();
  await tokenOf(tokens);
  expect(tokens.renewalTime(pod)).toBe(START + 0.8 * HOUR);
  clock.now = START + 0.8 * HOUR - 1;
  expect(await tokenOf(tokens)).toBe('token-1');
  clock.now += 1;
  expect(await tokenOf(tokens)).toBe('token-2');
  expect(tokens.renewalTime(pod)).toBe(clock.now + 0.8 * HOUR);
});

test('without the cloud a pod keeps its token, also when it has expired, and the log says so once', async () => {
  const { cloud, make, clock, logged } = await node();
  const tokens = make();
  await tokenOf(tokens);
  cloud.disconnect();
  clock.now = START + 0.9 * HOUR;
  expect([await tokenOf(tokens), await tokenOf(tokens)]).toEqual(['token-1', 'token-1']);
  expect(tokens.renewalTime(pod)).toBe(clock.now + 60_000);
  clock.now = START + 2 * HOUR;
  const restarted = make();
  expect([await tokenOf(restarted), await tokenOf(restarted)]).toEqual(['token-1', 'token-1']);
  expect(logged).toEqual([
    expect.stringContaining('Cannot get a service account token'),
    expect.stringContaining('has expired'),
  ]);
  expect(logged.join()).not.toContain('token-1');
  cloud.connect();
  expect(await tokenOf(restarted)).toBe('token-2');
});

test('a token that has expired is not used if the cloud refuses another', async () => {
  const { make, clock, answer } = await node();
  const tokens = make();
  await tokenOf(tokens);
  answer.make = () => ({ ErrStatus: { code: 403, reason: 'Forbidden', message: 'no' } });
  clock.now = START + 0.9 * HOUR;
  expect(await tokenOf(tokens)).toBe('token-1');
  clock.now = START + 2 * HOUR;
  expect(await tokenOf(tokens)).toBeUndefined();
});

test.each<[string, Json]>([
  ['a refusal', { ErrStatus: { code: 404, reason: 'NotFound' } }],
  ['an empty request', { metadata: { name: 'runner' }, status: { token: '' } }],
  ['nothing', null],
])('%s is no token', async (_, content) => {
  const { make, answer } = await node();
  answer.make = () => content;
  const tokens = make();
  expect(await tokenOf(tokens)).toBeUndefined();
  expect(tokens.renewalTime(pod)).toBe(START + 60_000);
});

test('a clock that was set back renews a token', async () => {
  const { make, clock } = await node();
  const tokens = make();
  await tokenOf(tokens);
  clock.now = START - HOUR;
  expect(await tokenOf(tokens)).toBe('token-2');
});

test('a pod without tokens asks for none', async () => {
  const { make, cloud } = await node();
  const reading = readPod({
    metadata: { name: 'web', namespace: 'shop', uid: 'u' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  if (!('pod' in reading)) throw new Error('invalid pod');
  expect((await make().current(reading.pod, signal)).size).toBe(0);
  expect(make().renewalTime(reading.pod)).toBeUndefined();
  expect(cloud.received).toEqual([]);
});

test('a token is nowhere but in its own table, and gone with the record of its pod', async () => {
  const { file, make, memory, stop } = await node();
  memory.podRecords.putPodRecord({ uid: 'uid-1', value: '{}' });
  await tokenOf(make());
  expect(memory.storedKinds()).toEqual([]);
  await stop();
  const store = openStore(file);
  expect(store.listMetas('serviceaccounttoken')).toEqual([]);
  expect(store.getPodToken('uid-1', KEY)?.value).toContain('token-1');
  store.deletePodRecord('uid-1');
  expect(store.getPodToken('uid-1', KEY)).toBeUndefined();
  store.close();
});
