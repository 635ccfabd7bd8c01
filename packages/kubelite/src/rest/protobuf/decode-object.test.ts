import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StatusError } from '../../objects/status-error.ts';
import { protobufReader } from './decode-object.ts';
import { readMessageTable } from './read-fields.ts';
import { SCALARS } from './scalars.ts';

const reader = protobufReader();

test('a ConfigMap is read with its maps, and what was not said stays away', () => {
  const metadata = [text(1, 'cm'), text(2, ''), text(3, 'default'), bytes(8, Buffer.alloc(0)), entry(11, 'a', 'b')];
  const raw = [message(1, metadata), entry(2, 'k', 'v'), entry(2, 'l', ''), entry(3, 'bin', '\u0001')];
  expect(reader.read(envelope('v1', 'ConfigMap', raw))).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'cm', namespace: 'default', labels: { a: 'b' } },
    data: { k: 'v', l: '' },
    binaryData: { bin: 'AQ==' },
  });
});

test('a pod is read with its lists, inlined parts, ports, quantities and times', () => {
  const probe = message(10, [
    message(1, [message(2, [text(1, '/'), message(2, [number(1, 1n), text(3, 'web')])])]),
    number(2, 5n),
  ]);
  const quantity = bytes(1, Buffer.concat([text(1, 'cpu'), message(2, [text(1, '100m')])]));
  const container = message(2, [text(1, 'app'), message(6, [number(3, 80n)]), message(8, [quantity]), probe]);
  const volume = message(1, [text(1, 'v'), message(2, [message(2, [text(1, 'Memory')])])]);
  const meta = message(1, [message(8, [number(1, 1767225600n)])]);
  expect(reader.read(envelope('v1', 'Pod', [meta, message(2, [volume, container, number(4, 0n)])]))).toEqual({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: {
      volumes: [{ name: 'v', emptyDir: { medium: 'Memory' } }],
      containers: [
        {
          name: 'app',
          ports: [{ containerPort: 80 }],
          resources: { limits: { cpu: '100m' } },
          livenessProbe: { httpGet: { path: '/', port: 'web' }, initialDelaySeconds: 5 },
        },
      ],
      terminationGracePeriodSeconds: 0,
    },
  });
});

test('a lease keeps its microseconds and an event of the newer group its own fields', () => {
  const spec = message(2, [
    text(1, 'me'),
    number(2, 40n),
    message(4, [number(1, 1767225600n), number(2, 123_000_000n)]),
  ]);
  expect(reader.read(envelope('coordination.k8s.io/v1', 'Lease', [spec]))).toMatchObject({
    spec: { holderIdentity: 'me', leaseDurationSeconds: 40, renewTime: '2026-01-01T00:00:00.123000Z' },
  });
  expect(reader.read(envelope('events.k8s.io/v1', 'Event', [text(10, 'note')]))).toMatchObject({ note: 'note' });
});

test('every type that a table names is a table or a scalar', () => {
  const table = readMessageTable();
  const types = [...table.values()].flatMap((fields) => [...fields.values()].map((field) => field.type));
  expect(types.filter((type) => !table.has(type) && !Object.hasOwn(SCALARS, type))).toEqual([]);
});

test('no bytes make it throw anything but a refusal', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 60 }),
      fc.constantFrom('Pod', 'Node', 'ConfigMap', 'Nothing'),
      (raw, kind) => {
        try {
          reader.read(envelope('v1', kind, [Buffer.from(raw)]));
        } catch (error) {
          if (!(error instanceof StatusError)) throw error;
        }
      },
    ),
  );
});

function envelope(apiVersion: string, kind: string, parts: readonly Buffer[]): Buffer {
  const type = message(1, [text(1, apiVersion), text(2, kind)]);
  return Buffer.concat([Buffer.from('k8s\0'), type, message(2, parts)]);
}

function message(field: number, parts: readonly Buffer[]): Buffer {
  return bytes(field, Buffer.concat(parts));
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value));
}

function entry(field: number, key: string, value: string): Buffer {
  return message(field, [text(1, key), text(2, value)]);
}

function bytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([varint(BigInt((field << 3) | 2)), varint(BigInt(value.length)), value]);
}

function number(field: number, value: bigint): Buffer {
  return Buffer.concat([varint(BigInt(field << 3)), varint(value)]);
}

function varint(value: bigint): Buffer {
  const out: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 128n) return Buffer.from([...out, Number(rest)]);
    out.push(Number(rest & 127n) | 128);
  }
}
