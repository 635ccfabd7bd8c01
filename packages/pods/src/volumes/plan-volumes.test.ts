import type { JsonObject } from '@fenestra/kernel';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { configMapData, secretData } from '../environment/keyed-data.ts';
import { samplePod } from '../testing/sample-pods.ts';
import { planVolumes } from './plan-volumes.ts';
import { hasBackStep, innerPathProblem } from './safe-path.ts';
import { neededTokens, tokenKey, tokenRenewalTime, tokenRequestSpec, type VolumeFacts } from './volume-facts.ts';
import type { FilesVolume, VolumePlan } from './volume-plan.ts';

const token = { audience: 'vault', expirationSeconds: 3600 };
const facts: VolumeFacts = {
  configMaps: new Map([
    ['settings', configMapData({ data: { color: 'red', size: 'big' }, binaryData: { blob: 'AAE=' }, immutable: true })],
    ['unsafe', configMapData({ data: { '../../etc/passwd': 'x' } })],
  ]),
  secrets: new Map([['keys', secretData({ data: { password: 'c2VjcmV0' } })]]),
  podIps: ['10.0.0.2'],
  hostIps: ['192.168.0.5'],
  allocatable: { memory: '8Gi', cpu: '4' },
  tokens: new Map([[tokenKey(token), 'the-token']]),
  claims: new Map([
    ['disk', { name: 'pv-1', local: { path: '/mnt/disk' } }],
    ['cloud', { name: 'pv-2' }],
  ]),
};

function plan(volume: JsonObject, spec: JsonObject = {}, metadata: JsonObject = {}): VolumePlan {
  const [planned] = planVolumes(samplePod({ ...spec, volumes: [{ name: 'v', ...volume }] }, metadata), facts);
  if (planned === undefined) throw new Error('no volume');
  return planned;
}

function filesOf(volume: JsonObject, spec?: JsonObject, metadata?: JsonObject): FilesVolume {
  const planned = plan(volume, spec, metadata);
  if (planned.kind !== 'files') throw new Error(JSON.stringify(planned));
  return planned;
}

function textsOf({ files }: FilesVolume): Readonly<Record<string, string>> {
  return Object.fromEntries(files.map(({ path, content }) => [path, Buffer.from(content).toString('utf8')]));
}

test('a ConfigMap becomes files, all or those that are named', () => {
  const all = filesOf({ configMap: { name: 'settings' } });
  expect(all).toMatchObject({
    plugin: 'configmap',
    folder: 'volumes/kubernetes.io~configmap/v',
    medium: 'disk',
    immutable: true,
    missing: [],
  });
  expect(textsOf(all)).toEqual({ color: 'red', size: 'big', blob: '\u0000\u0001' });
  const items = [{ key: 'color', path: 'a/b', mode: 256 }];
  const named = filesOf({ configMap: { name: 'settings', items, defaultMode: 420 } });
  expect(named.files).toMatchObject([{ path: 'a/b', mode: 256 }]);
});

test('a Secret is kept in memory', () => {
  const volume = filesOf({ secret: { secretName: 'keys', defaultMode: 256 } });
  expect(volume).toMatchObject({ medium: 'memory', files: [{ path: 'password', mode: 256 }] });
  expect(textsOf(volume)).toEqual({ password: 'secret' });
});

test.each([
  [{ configMap: { name: 'none' } }, ['configmap "none" not found']],
  [{ configMap: { name: 'none', optional: true } }, []],
  [{ secret: { secretName: 'keys', items: [{ key: 'x', path: 'x' }] } }, [`couldn't find key "x" in Secret "keys"`]],
  [{ secret: { secretName: 'keys', optional: true, items: [{ key: 'x', path: 'x' }] } }, []],
])('%j misses %j', (volume, missing) => {
  expect(filesOf(volume).missing.map(({ message }) => message)).toEqual(missing);
});

test('the downward API writes maps as sorted lines and resources as numbers', () => {
  const items = [
    { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
    { path: 'cpu', resourceFieldRef: { containerName: 'main', resource: 'limits.cpu', divisor: '1m' } },
  ];
  const volume = filesOf({ downwardAPI: { items } }, {}, { labels: { b: 'two\n"2"', a: 'one' } });
  expect(textsOf(volume)).toEqual({ labels: 'a="one"\nb="two\\n\\"2\\""', cpu: '4000' });
});

test('projected sources share one tree, and the later one wins', () => {
  const sources = [
    { configMap: { name: 'settings', items: [{ key: 'color', path: 'x' }] } },
    { secret: { name: 'keys', items: [{ key: 'password', path: 'x' }] } },
    { serviceAccountToken: { ...token, path: 'token' } },
  ];
  expect(textsOf(filesOf({ projected: { sources } }))).toEqual({ x: 'secret', token: 'the-token' });
});

test.each([
  [{}, { mode: 420 }],
  [{ securityContext: { fsGroup: 5 } }, { mode: 384 }],
  [{ securityContext: { runAsUser: 7 } }, { mode: 384, uid: 7 }],
  [
    { containers: [1, 2].map((runAsUser) => ({ name: `c${runAsUser}`, image: 'a', securityContext: { runAsUser } })) },
    { mode: 420 },
  ],
])('a token of a pod with %j gets %j', (spec, expected) => {
  const sources = [{ serviceAccountToken: { ...token, path: 'token' } }];
  expect(filesOf({ projected: { sources } }, spec).files).toMatchObject([expected]);
});

test('tokens are asked for once, bound to the pod, and renewed long before they expire', () => {
  const sources = [
    { serviceAccountToken: { ...token, path: 'a' } },
    { serviceAccountToken: { ...token, path: 'b' } },
    { serviceAccountToken: { path: 'c' } },
  ];
  const pod = samplePod({ volumes: [{ name: 'v', projected: { sources } }], serviceAccountName: 'web' });
  const [first, second] = neededTokens(pod);
  expect([first, second]).toEqual([token, { audience: '', expirationSeconds: 3600 }]);
  expect(tokenRequestSpec(pod, token)).toEqual({
    audiences: ['vault'],
    expirationSeconds: 3600,
    boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'uid-1' },
  });
  const [planned] = planVolumes(pod, facts);
  expect(planned).toMatchObject({ missing: [{ kind: 'ServiceAccountToken', name: 'web' }] });
  expect(tokenRenewalTime(0, 3_600_000)).toBe(2_880_000);
  expect(tokenRenewalTime(0, 365 * 86_400_000)).toBe(86_400_000);
});

test('an emptyDir in memory is as large as its limit, the memory of the pod or of the node', () => {
  const memory = { medium: 'Memory' };
  const gibi = 2 ** 30;
  expect(plan({ emptyDir: {} })).toEqual({
    kind: 'empty-dir',
    name: 'v',
    folder: 'volumes/kubernetes.io~empty-dir/v',
    medium: 'disk',
  });
  expect(plan({ emptyDir: memory })).toMatchObject({ medium: 'memory', sizeBytes: 8 * gibi });
  const containers = [{ name: 'main', image: 'a', resources: { limits: { memory: '2Gi' } } }];
  expect(plan({ emptyDir: memory }, { containers })).toMatchObject({ sizeBytes: 2 * gibi });
  expect(plan({ emptyDir: { ...memory, sizeLimit: '1Gi' } }, { containers })).toMatchObject({ sizeBytes: gibi });
  expect(plan({ emptyDir: { sizeLimit: '1Gi' } })).toMatchObject({ medium: 'disk', sizeBytes: gibi });
});

test('a group that gets access is named for volumes of the agent', () => {
  const securityContext = { fsGroup: 7, fsGroupChangePolicy: 'OnRootMismatch' };
  const ownership = { fsGroup: 7, policy: 'OnRootMismatch' };
  expect(plan({ emptyDir: {} }, { securityContext })).toMatchObject({ ownership });
  expect(plan({ secret: { secretName: 'keys' } }, { securityContext })).toMatchObject({ ownership });
  expect(plan({ hostPath: { path: '/data' } }, { securityContext })).not.toHaveProperty('ownership');
});

function claim(claimName: string): JsonObject {
  return { persistentVolumeClaim: { claimName, readOnly: true } };
}

test('claims on local volumes are used, others wait or are refused', () => {
  expect(plan(claim('disk'))).toEqual({
    kind: 'host-path',
    name: 'v',
    path: '/mnt/disk',
    check: 'Directory',
    readOnly: true,
  });
  expect(plan(claim('none'))).toMatchObject({ kind: 'missing', missing: { kind: 'PersistentVolumeClaim' } });
  expect(plan(claim('cloud'))).toMatchObject({ kind: 'refused' });
});

test.each([
  [{ nfs: { server: 's', path: '/' } }, 'the volume source "nfs" is not supported on this node'],
  [
    { projected: { sources: [{ clusterTrustBundle: {} }] } },
    'the projected source "clusterTrustBundle" is not supported on this node',
  ],
  [{ emptyDir: { medium: 'HugePages' } }, 'the medium "HugePages" of an emptyDir is not supported on this node'],
  [{ hostPath: { path: '/a/../b' } }, 'the path "/a/../b" must not contain ".."'],
  [{ hostPath: { path: '/a', type: 'Pipe' } }, 'the type "Pipe" of a hostPath is not known'],
  [{ configMap: { name: 'unsafe' } }, 'the path "../../etc/passwd" must not contain ".."'],
  [
    { configMap: { name: 'settings', items: [{ key: 'color', path: '/etc/x' }] } },
    'the path "/etc/x" must be relative',
  ],
  [
    { configMap: { name: 'settings', items: [{ key: 'color', path: '..data' }] } },
    'the path "..data" must not begin with ".."',
  ],
  [
    {
      configMap: {
        name: 'settings',
        items: [
          { key: 'color', path: 'a' },
          { key: 'size', path: 'a/b' },
        ],
      },
    },
    'the path "a/b" is below the file "a"',
  ],
])('%j is refused', (volume, message) => {
  expect(plan(volume)).toEqual({ kind: 'refused', name: 'v', message });
});

test('a path that is accepted never leads out of its volume', () => {
  const part = fc.constantFrom('a', '..', '.', '', 'b c', '...');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), fc.constantFrom('/', '\\'), (parts, separator) => {
      const path = parts.join(separator);
      if (innerPathProblem(path) !== undefined) return;
      expect(hasBackStep(path)).toBe(false);
      expect(path.startsWith('/')).toBe(false);
      expect(path.startsWith('\\')).toBe(false);
    }),
  );
});
