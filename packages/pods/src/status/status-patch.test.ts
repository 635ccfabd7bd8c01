import { objectsAt } from '@fenestra/contracts/objects';
import { isJsonArray, objectAt, sameJson, stringAt, type JsonObject } from '@fenestra/kernel';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PodStatus } from '../pod/status-fields.ts';
import { changesReadiness, statusPatch } from './status-patch.ts';

const ready = { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };
const running: PodStatus = { phase: 'Running', podIP: '10.0.0.2', podIPs: [{ ip: '10.0.0.2' }], conditions: [ready] };

test('a patch holds only what changed, with the uid of the pod', () => {
  const unready = { ...ready, status: 'False', reason: 'ContainersNotReady' };
  expect(statusPatch(running, { ...running, conditions: [unready] }, 'u')).toEqual({
    metadata: { uid: 'u' },
    status: { conditions: [unready] },
  });
  expect(changesReadiness(running, { ...running, conditions: [unready] })).toBe(true);
  expect(statusPatch(running, { ...running }, 'u')).toBeUndefined();
});

test('a reason that is gone is removed, also from a condition', () => {
  const before: PodStatus = { phase: 'Running', reason: 'X', conditions: [{ ...ready, reason: 'Y', message: 'Z' }] };
  expect(statusPatch(before, { phase: 'Running', conditions: [ready] }, 'u')?.['status']).toEqual({
    reason: null,
    conditions: [{ ...ready, reason: null, message: null }],
  });
});

test('conditions of others are left alone', () => {
  const foreign = { type: 'example.com/lb', status: 'True' };
  expect(statusPatch({ ...running, conditions: [ready, foreign] }, running, 'u')).toBeUndefined();
});

test('addresses that are gone are deleted', () => {
  const patch = statusPatch(running, { ...running, podIP: '10.0.0.3', podIPs: [{ ip: '10.0.0.3' }] }, 'u');
  expect(patch?.['status']).toEqual({
    podIP: '10.0.0.3',
    '$setElementOrder/podIPs': [{ ip: '10.0.0.3' }],
    podIPs: [{ ip: '10.0.0.3' }, { $patch: 'delete', ip: '10.0.0.2' }],
  });
});

const text = fc.constantFrom('a', 'b');
const condition = fc.record(
  { type: fc.constantFrom('Ready', 'Initialized', 'PodScheduled'), status: text, reason: text },
  { requiredKeys: ['type', 'status'] },
);
const address = fc.uniqueArray(fc.record({ ip: fc.constantFrom('1', '2', '3') }), { selector: ({ ip }) => ip });
const status: fc.Arbitrary<PodStatus> = fc.record(
  {
    phase: fc.constantFrom('Pending', 'Running', 'Failed'),
    reason: text,
    podIPs: address,
    hostIPs: address,
    conditions: fc.uniqueArray(condition, { selector: ({ type }) => type }),
    containerStatuses: fc.array(
      fc.record({
        name: text,
        image: text,
        imageID: text,
        ready: fc.boolean(),
        restartCount: fc.nat(3),
        state: fc.constant({}),
        lastState: fc.constant({}),
      }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ['phase'] },
);

test('a patch turns any status into any other', () => {
  fc.assert(
    fc.property(status, status, (before, after) => {
      const patch = statusPatch(before, after, 'u');
      const result = patch === undefined ? before : apply(before, objectAt(patch, 'status'));
      expect(sameJson(comparable(result), comparable(after))).toBe(true);
    }),
  );
});

const KEYS: Readonly<Record<string, string>> = { conditions: 'type', podIPs: 'ip', hostIPs: 'ip' };

/** A strategic merge, as far as the status of a pod needs it. */
function apply(target: JsonObject, patch: JsonObject): JsonObject {
  const result: Record<string, JsonObject[string]> = { ...target };
  for (const [field, value] of Object.entries(patch)) {
    const key = KEYS[field];
    if (field.startsWith('$')) continue;
    if (value === null) delete result[field];
    else if (key === undefined || !isJsonArray(value)) result[field] = value;
    else result[field] = mergeList(objectsAt(target, field), objectsAt(patch, field), key);
  }
  return result;
}

function mergeList(target: readonly JsonObject[], patch: readonly JsonObject[], key: string): readonly JsonObject[] {
  const items = new Map(target.map((item) => [item[key], item]));
  for (const item of patch) {
    if (item['$patch'] === 'delete') items.delete(item[key]);
    else items.set(item[key], merged(items.get(item[key]), item));
  }
  return [...items.values()];
}

function merged(before: JsonObject | undefined, change: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null));
}

/** Without the order of merged lists, and with absent and empty ones alike. */
function comparable(value: JsonObject): JsonObject {
  const sorted = Object.entries(KEYS).map(([field, key]) => {
    const list = objectsAt(value, field);
    return [field, list.toSorted((a, b) => (stringAt(a, key) < stringAt(b, key) ? -1 : 1))] as const;
  });
  return { ...value, ...Object.fromEntries(sorted) };
}
