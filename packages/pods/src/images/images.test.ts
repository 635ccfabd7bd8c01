import type { JsonObject } from '@fenestra/kernel';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { samplePod } from '../testing/sample-pods.ts';
import { imagesToRemove, type ImageCollectionFacts, type StoredImage } from './image-collection.ts';
import { normalImageName, parseImageName } from './image-name.ts';
import { pullCredentials } from './pull-credentials.ts';
import { failedPull, isRegistryUnreachable, pullDecision } from './pull-decision.ts';

const digest = `sha256:${'a'.repeat(64)}`;

test.each([
  ['busybox', 'docker.io/library/busybox:latest'],
  ['busybox:1', 'docker.io/library/busybox:1'],
  ['docker.io/busybox:1', 'docker.io/library/busybox:1'],
  ['index.docker.io/library/busybox:1', 'docker.io/library/busybox:1'],
  ['team/app', 'docker.io/team/app:latest'],
  ['localhost/app', 'localhost/app:latest'],
  ['registry:5000/app', 'registry:5000/app:latest'],
  ['registry.example.com/a/b:v1', 'registry.example.com/a/b:v1'],
  [`app@${digest}`, `docker.io/library/app@${digest}`],
  [`app:1@${digest}`, `docker.io/library/app:1@${digest}`],
])('the image %s is %s', (text, name) => {
  expect(normalImageName(text)).toBe(name);
  expect(normalImageName(name)).toBe(name);
});

test.each(['', 'UPPER', 'a b', 'app:', 'app@sha256:1', '-app', 'a//b', 'app:tag:tag', ':tag', 'a@b@c'])(
  '%j is no name of an image',
  (text) => {
    expect(parseImageName(text)).toBeUndefined();
  },
);

test.each([
  ['Always', true, 'pull'],
  ['Always', false, 'pull'],
  ['IfNotPresent', true, 'use-present'],
  ['IfNotPresent', false, 'pull'],
  ['Never', true, 'use-present'],
  ['Never', false, 'refuse'],
])('with the policy %s and an image that is present: %s, it is: %s', (imagePullPolicy, present, decision) => {
  const { spec } = samplePod({ containers: [{ name: 'main', image: 'a', imagePullPolicy }] });
  expect(spec.containers[0] && pullDecision(spec.containers[0], present)).toBe(decision);
});

test('failed pulls wait longer each time, and another image begins again', () => {
  const first = failedPull('a', 'RegistryUnavailable: x', undefined, 1000);
  expect(first.failure).toMatchObject({ reason: 'RegistryUnavailable', retryAt: 11_000 });
  const second = failedPull('a', 'x', first.backoff, 11_000);
  expect(second.failure).toMatchObject({ reason: 'ErrImagePull', retryAt: 31_000 });
  expect(failedPull('b', 'x', second.backoff, 31_000).failure.retryAt).toBe(41_000);
});

test.each([
  [
    'failed to do request: Head "http://127.0.0.1:5000/v2/a": dial tcp 127.0.0.1:5000: connect: connection refused',
    true,
  ],
  ['dial tcp: lookup registry.example.com: no such host', true],
  ['read tcp 10.0.0.2:51000->10.0.0.9:443: read: connection reset by peer', true],
  ['net/http: TLS handshake timeout', true],
  ['failed to resolve reference "r/a:1": unexpected status from HEAD request: 401 Unauthorized', false],
  ['r/a:1: not found', false],
])('%j means that the registry did not answer: %s', (message, unreachable) => {
  expect(isRegistryUnreachable(message)).toBe(unreachable);
});

function secretOf(auths: JsonObject): JsonObject {
  const content = JSON.stringify({ auths });
  const data = { '.dockerconfigjson': Buffer.from(content).toString('base64') };
  return { type: 'kubernetes.io/dockerconfigjson', data };
}

function usersFor(image: string, ...secrets: readonly JsonObject[]): readonly string[] {
  return pullCredentials(image, secrets).map(({ username }) => username);
}

test('credentials fit by host, port and path, the most specific first', () => {
  const secret = secretOf({
    'registry.example.com': { username: 'host', password: 'p' },
    'https://registry.example.com/team': { username: 'path', password: 'p' },
    '*.example.com': { username: 'glob', password: 'p' },
    'registry.example.com:5000': { username: 'port', password: 'p' },
    'https://index.docker.io/v1/': { username: 'docker', password: 'p' },
  });
  expect(usersFor('registry.example.com/team/app', secret)).toEqual(['path', 'host', 'glob']);
  expect(usersFor('registry.example.com/app', secret)).toEqual(['host', 'glob']);
  expect(usersFor('registry.example.com:5000/app', secret)).toEqual(['port']);
  expect(usersFor('a.b.example.com/app', secret)).toEqual([]);
  expect(usersFor('busybox', secret)).toEqual(['docker']);
});

test('credentials are read in both forms, and what cannot be read is skipped', () => {
  const auth = Buffer.from('user:pass:word').toString('base64');
  const old = {
    type: 'kubernetes.io/dockercfg',
    data: { '.dockercfg': Buffer.from(JSON.stringify({ r: { auth } })).toString('base64') },
  };
  expect(pullCredentials('r.io/app', [secretOf({ 'r.io': { auth } })])).toEqual([
    { username: 'user', password: 'pass:word', auth: '', identityToken: '' },
  ]);
  expect(pullCredentials('r:1/app', [old])).toEqual([]);
  expect(usersFor('r.io/app', { data: { '.dockerconfigjson': 'bm8=' } }, {}, { data: null })).toEqual([]);
});

function freed(list: readonly StoredImage[]): number {
  return list.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

const image = fc.record({
  id: fc.uuid(),
  sizeBytes: fc.nat(100),
  pinned: fc.boolean(),
  firstSeenAt: fc.nat(1000),
  lastUsedAt: fc.nat(1000),
});

test('only unused images are removed, the longest unused first, and no more than needed', () => {
  fc.assert(
    fc.property(fc.uniqueArray(image, { selector: ({ id }) => id }), fc.nat(1000), (images, availableBytes) => {
      const needed = new Set(images.slice(0, 2).map(({ id }) => id));
      const settings = { highPercent: 85, lowPercent: 80, minAgeMs: 100, maxAgeMs: 0 };
      const facts: ImageCollectionFacts = {
        images,
        needed,
        settings,
        now: 1000,
        fileSystem: { capacityBytes: 1000, availableBytes },
      };
      const { remove } = imagesToRemove(facts);
      expect(remove.every(({ id, pinned, firstSeenAt }) => !pinned && !needed.has(id) && firstSeenAt <= 900)).toBe(
        true,
      );
      expect(remove.map(({ lastUsedAt }) => lastUsedAt)).toEqual(
        remove.map(({ lastUsedAt }) => lastUsedAt).toSorted((a, b) => a - b),
      );
      if (availableBytes > 150) expect(remove).toEqual([]);
      else expect(remove.length === 0 || freed(remove.slice(0, -1)) < 200 - availableBytes).toBe(true);
    }),
  );
});

test('images that were not used for long are removed although there is room', () => {
  const old = { id: 'old', sizeBytes: 1, pinned: false, firstSeenAt: 0, lastUsedAt: 0 };
  const settings = { highPercent: 85, lowPercent: 80, minAgeMs: 0, maxAgeMs: 500 };
  const facts = {
    images: [old, { ...old, id: 'new', lastUsedAt: 900 }],
    needed: new Set<string>(),
    settings,
    now: 1000,
  };
  const fileSystem = { capacityBytes: 1000, availableBytes: 900 };
  expect(imagesToRemove({ ...facts, fileSystem }).remove.map(({ id }) => id)).toEqual(['old']);
});
