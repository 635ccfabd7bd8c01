import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { PatchError } from '@fenestra/contracts/objects';
import { sameJson, type JsonObject } from '../objects/json.ts';
import { builtInListShape } from './list-shape.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

const pod: JsonObject = {
  metadata: { name: 'web', finalizers: ['a', 'b'] },
  spec: {
    containers: [
      { name: 'app', image: 'app:1', env: [{ name: 'A', value: '1' }], args: ['x'] },
      { name: 'side', image: 'side:1' },
    ],
    tolerations: [{ key: 'old' }],
    volumes: [{ name: 'v', emptyDir: {} }],
  },
  status: { conditions: [{ type: 'Ready', status: 'False' }] },
};

test('containers merge by name and lists inside them by their own keys', () => {
  const patch = { spec: { containers: [{ name: 'app', image: 'app:2', env: [{ name: 'B', value: '2' }] }] } };
  expect(merged(patch)['containers']).toEqual([
    {
      name: 'app',
      image: 'app:2',
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ],
      args: ['x'],
    },
    { name: 'side', image: 'side:1' },
  ]);
});

test('a list without a key is replaced', () => {
  expect(merged({ spec: { tolerations: [{ key: 'new' }] } })['tolerations']).toEqual([{ key: 'new' }]);
  const args = merged({ spec: { containers: [{ name: 'side', args: ['y', 'z'] }] } })['containers'];
  expect(args).toContainEqual({ name: 'side', image: 'side:1', args: ['y', 'z'] });
});

test('$patch delete removes an item, an object and nothing else', () => {
  expect(merged({ spec: { containers: [{ name: 'app', $patch: 'delete' }] } })['containers']).toEqual([
    { name: 'side', image: 'side:1' },
  ]);
  expect(merged({ spec: { containers: [{ name: 'gone', $patch: 'delete' }] } })).toEqual(pod['spec']);
});

test('$patch replace replaces a list or an object', () => {
  const list = { spec: { containers: [{ name: 'new', image: 'n' }, { $patch: 'replace' }] } };
  expect(merged(list)['containers']).toEqual([{ name: 'new', image: 'n' }]);
  expect(
    applyStrategicMergePatch(pod, { spec: { $patch: 'replace', nodeName: 'n' } }, builtInListShape)['spec'],
  ).toEqual({ nodeName: 'n' });
});

test('$setElementOrder puts items in the order asked for', () => {
  const patch = {
    spec: {
      '$setElementOrder/containers': [{ name: 'side' }, { name: 'new' }, { name: 'app' }],
      containers: [{ name: 'new', image: 'n' }],
    },
  };
  const names = merged(patch)['containers'];
  expect(Array.isArray(names) && names.map((item: JsonObject) => item['name'])).toEqual(['side', 'new', 'app']);
});

test('$deleteFromPrimitiveList removes values from a set', () => {
  const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'], finalizers: ['c'] } };
  expect(applyStrategicMergePatch(pod, patch, builtInListShape)['metadata']).toEqual({
    name: 'web',
    finalizers: ['b', 'c'],
  });
});

test('$retainKeys drops every other key', () => {
  const patch = { spec: { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }] } };
  expect(merged(patch)['volumes']).toEqual([{ name: 'v', hostPath: { path: '/x' } }]);
});

test('taints are replaced as a list, so that two of one key survive', () => {
  const taints = [
    { key: 'a', effect: 'NoSchedule' },
    { key: 'a', effect: 'NoExecute' },
  ];
  const node = { spec: { taints: [{ key: 'old', effect: 'NoSchedule' }] } };
  expect(applyStrategicMergePatch(node, { spec: { taints } }, builtInListShape)).toEqual({ spec: { taints } });
});

test('two items of one key are added with a list, and merged one after the other into a list that is there', () => {
  const ports = [
    { port: 53, protocol: 'TCP', name: 'dns' },
    { port: 53, protocol: 'UDP' },
  ];
  const patch = { spec: { ports: [...ports, { port: 80, $patch: 'delete' }] } };
  expect(applyStrategicMergePatch({}, patch, builtInListShape)).toEqual({ spec: { ports } });
  for (const [before, after] of [
    [[{ port: 80 }], [{ port: 53, protocol: 'UDP', name: 'dns' }]],
    [
      [{ port: 53, targetPort: 5353 }, { port: 9 }],
      [{ port: 53, protocol: 'UDP', name: 'dns', targetPort: 5353 }, { port: 9 }],
    ],
  ])
    expect(applyStrategicMergePatch({ spec: { ports: before } }, patch, builtInListShape)).toEqual({
      spec: { ports: after },
    });
});

test('an item that is removed and given again by one patch is new, in any order', () => {
  const [gone, given] = [
    { port: 80, $patch: 'delete' },
    { port: 80, name: 'new' },
  ];
  const service = { spec: { ports: [{ port: 80, targetPort: 8080 }] } };
  for (const ports of [
    [gone, given],
    [given, gone],
  ])
    expect(applyStrategicMergePatch(service, { spec: { ports } }, builtInListShape)).toEqual({
      spec: { ports: [{ port: 80, name: 'new' }] },
    });
});

test('conditions merge by type', () => {
  const patch = {
    status: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'New', status: 'True' },
      ],
    },
  };
  expect(applyStrategicMergePatch(pod, patch, builtInListShape)['status']).toEqual({
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'New', status: 'True' },
    ],
  });
});

test('ports of containers and of services have their own keys', () => {
  const service = { spec: { ports: [{ port: 80, name: 'http' }] } };
  const patch = { spec: { ports: [{ port: 80, targetPort: 8080 }] } };
  expect(applyStrategicMergePatch(service, patch, builtInListShape)).toEqual({
    spec: { ports: [{ port: 80, name: 'http', targetPort: 8080 }] },
  });
});

test('an item without its key and an unknown directive are refused', () => {
  expect(() => merged({ spec: { containers: [{ image: 'x' }] } })).toThrow(PatchError);
  expect(() => merged({ spec: { $patch: 'frob' } })).toThrow(PatchError);
});

test('null removes and applying twice is applying once', () => {
  const container = fc.record({ name: fc.constantFrom('a', 'b', 'c'), image: fc.string() });
  const spec = fc.record({ containers: fc.uniqueArray(container, { selector: (item) => item.name }) });
  fc.assert(
    fc.property(spec, spec, (target, patch) => {
      const once = applyStrategicMergePatch({ spec: target }, { spec: patch }, builtInListShape);
      return sameJson(applyStrategicMergePatch(once, { spec: patch }, builtInListShape), once);
    }),
  );
  expect(applyStrategicMergePatch(pod, { status: null }, builtInListShape)['status']).toBeUndefined();
});

function merged(patch: JsonObject): JsonObject {
  const spec = applyStrategicMergePatch(pod, patch, builtInListShape)['spec'];
  return Object.fromEntries(Object.entries(spec ?? {}));
}
