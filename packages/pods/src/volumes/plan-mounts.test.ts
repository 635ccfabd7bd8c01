import type { JsonObject } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { samplePod } from '../testing/sample-pods.ts';
import { containerPathOf, planMounts, type MountFacts, type MountsPlan } from './plan-mounts.ts';

const facts: MountFacts = {
  os: 'linux',
  volumes: [
    { kind: 'empty-dir', name: 'data', folder: 'f', medium: 'disk' },
    {
      kind: 'files',
      name: 'keys',
      plugin: 'secret',
      folder: 'f',
      medium: 'memory',
      files: [],
      immutable: false,
      missing: [],
    },
  ],
  environment: { variables: [{ key: 'POD', value: Buffer.from('web-0') }], missing: [], skipped: [] },
  recursiveReadOnly: true,
};

function mounts(mount: JsonObject, container: JsonObject = {}, changes: Partial<MountFacts> = {}): MountsPlan {
  const volumeMounts = [{ name: 'data', mountPath: '/data', ...mount }];
  const { spec } = samplePod({ containers: [{ name: 'main', image: 'a', volumeMounts, ...container }] });
  const [main] = spec.containers;
  if (main === undefined) throw new Error('no container');
  return planMounts(main, { ...facts, ...changes });
}

test('a mount has its path and its mode', () => {
  expect(mounts({ readOnly: true, recursiveReadOnly: 'IfPossible', mountPropagation: 'HostToContainer' })).toEqual({
    mounts: [
      {
        volume: 'data',
        index: 0,
        containerPath: '/data',
        readonly: true,
        recursiveReadOnly: true,
        propagation: 1,
      },
    ],
    problems: [],
  });
});

test('files that the agent writes are read-only in containers', () => {
  expect(mounts({ name: 'keys' }).mounts).toMatchObject([{ readonly: true }]);
  expect(mounts({}).mounts).toMatchObject([{ readonly: false }]);
});

test.each([
  [{ name: 'none' }, 'the volume "none" does not exist'],
  [{ subPath: '../x' }, 'the sub path "../x" of "data" must not contain ".."'],
  [{ subPath: '/x' }, 'the sub path "/x" of "data" must be relative'],
  [{ subPathExpr: '$(POD)/$(NONE)' }, 'the sub path of "data" needs the variable "NONE"'],
  [{ subPathExpr: '../$(POD)' }, 'the sub path "../web-0" of "data" must not contain ".."'],
  [{ mountPropagation: 'Bidirectional' }, 'the mount of "data" is bidirectional, but the container is not privileged'],
])('%j is refused', (mount, problem) => {
  expect(mounts(mount)).toEqual({ mounts: [], problems: [problem] });
});

test('a sub path is expanded with the environment', () => {
  expect(mounts({ subPathExpr: 'logs/$(POD)' }).mounts).toMatchObject([{ subPath: 'logs/web-0' }]);
  expect(mounts({ subPath: 'a/b' }).mounts).toMatchObject([{ subPath: 'a/b' }]);
});

test('what the runtime cannot do is refused only if it must be done', () => {
  const without = { recursiveReadOnly: false };
  expect(mounts({ readOnly: true, recursiveReadOnly: 'Enabled' }, {}, without).problems).toEqual([
    'the runtime cannot mount "data" recursively read-only',
  ]);
  expect(mounts({ readOnly: true, recursiveReadOnly: 'IfPossible' }, {}, without).mounts).toMatchObject([
    { recursiveReadOnly: false },
  ]);
  const privileged = { securityContext: { privileged: true } };
  expect(mounts({ mountPropagation: 'Bidirectional' }, privileged).mounts).toMatchObject([{ propagation: 2 }]);
});

test.each([
  ['/data', 'linux', '/data'],
  ['data', 'linux', '/data'],
  ['/data', 'windows', 'c:/data'],
  ['\\data', 'windows', 'c:\\data'],
  ['data', 'windows', 'c:\\data'],
  ['D:\\data', 'windows', 'D:\\data'],
  ['\\\\.\\pipe\\x', 'windows', '\\\\.\\pipe\\x'],
] as const)('the path %s on %s is %s', (path, os, expected) => {
  expect(containerPathOf(path, os)).toBe(expected);
});
