import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StatusError } from '../../objects/status-error.ts';
import {
  bytesField as bytes,
  doubleField as double,
  envelope as encodeEnvelope,
  numberField as number,
  textField as text,
  varint,
} from '../../testing/encode-protobuf.ts';
import { protobufReader } from './decode-object.ts';
import { readMessageTables } from './read-tables.ts';
import { SCALARS } from './decode-message.ts';

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
    message(4, [number(1, 1767225600n), number(2, 123_456_000n)]),
  ]);
  expect(reader.read(envelope('coordination.k8s.io/v1', 'Lease', [spec]))).toMatchObject({
    spec: { holderIdentity: 'me', leaseDurationSeconds: 40, renewTime: '2026-01-01T00:00:00.123456Z' },
  });
  expect(reader.read(envelope('events.k8s.io/v1', 'Event', [text(10, 'note')]))).toMatchObject({ note: 'note' });
});

test('every type that a table names is a table or a scalar', () => {
  const { messages } = readMessageTables();
  const types = [...messages.values()].flatMap((fields) => [...fields.values()].map((field) => field.type));
  expect(types.filter((type) => !messages.has(type) && !Object.hasOwn(SCALARS, type))).toEqual([]);
});

test('volumes of every kind keep their fields', () => {
  const iscsi = message(1, [
    text(1, 'i'),
    message(2, [message(8, [text(1, '10.0.0.1'), text(2, 'iqn'), number(3, 0n)])]),
  ]);
  const flex = message(1, [text(1, 'f'), message(2, [message(12, [text(1, 'example.com/nas'), entry(5, 'a', 'b')])])]);
  const packed = message(14, [message(4, [varint(7n), varint(8n)])]);
  expect(reader.read(envelope('v1', 'Pod', [message(2, [iscsi, flex, packed])]))).toMatchObject({
    spec: {
      volumes: [
        { name: 'i', iscsi: { targetPortal: '10.0.0.1', iqn: 'iqn', lun: 0 } },
        { name: 'f', flexVolume: { driver: 'example.com/nas', options: { a: 'b' } } },
      ],
      securityContext: { supplementalGroups: [7, 8] },
    },
  });
});

test('a definition of custom resources is read with its schema', () => {
  const size = entryOf(29, 'size', [text(5, 'integer'), double(11, 0.5), message(8, [text(1, '2')])]);
  const tags = entryOf(29, 'tags', [text(5, 'array'), message(24, [message(1, [text(5, 'string')])])]);
  const others = message(30, [number(1, 0n)]);
  const schema = message(4, [message(1, [text(5, 'object'), size, tags, others, number(38, 1n)])]);
  const version = message(7, [text(1, 'v1'), number(2, 1n), number(3, 1n), schema]);
  expect(reader.read(envelope('apiextensions.k8s.io/v1', 'CustomResourceDefinition', [message(2, [version])]))).toEqual(
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      spec: {
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                'x-kubernetes-preserve-unknown-fields': true,
                additionalProperties: false,
                properties: {
                  size: { type: 'integer', minimum: 0.5, default: 2 },
                  tags: { type: 'array', items: { type: 'string' } },
                },
              },
            },
          },
        ],
      },
    },
  );
});

test.each([
  [
    'an unknown field',
    'Pod',
    [message(2, [message(1, [text(99, 'x')])])],
    'field "spec.volumes" of the protobuf body: its field number 99 (Volume) is unknown',
  ],
  [
    'an unknown field of the object',
    'Pod',
    [text(9, 'x')],
    'the object of the protobuf body: its field number 9 (Pod) is unknown',
  ],
  [
    'an unknown field of a time',
    'Pod',
    [message(1, [message(8, [number(3, 1n)])])],
    'field "metadata.creationTimestamp"',
  ],
  ['an unknown part of an entry', 'ConfigMap', [message(2, [text(1, 'k'), text(3, 'v')])], 'field "data"'],
  ['a field that is there twice', 'Pod', [message(2, [text(10, 'a'), text(10, 'b')])], 'field "spec.nodeName"'],
  [
    'a message that is there twice',
    'Pod',
    [message(2, []), message(2, [])],
    'field "spec" of the protobuf body: it is there more than once',
  ],
  ['text that is not UTF-8', 'Pod', [message(2, [bytes(10, Buffer.from([0xff]))])], 'field "spec.nodeName"'],
  [
    'a number that JSON cannot carry',
    'Pod',
    [message(2, [number(4, 2n ** 60n)])],
    'field "spec.terminationGracePeriodSeconds"',
  ],
  ['a number that is too large', 'Pod', [message(2, [number(25, 2n ** 40n)])], 'field "spec.priority"'],
  ['another type', 'Pod', [message(2, [number(10, 1n)])], 'field "spec.nodeName"'],
  ['an unknown kind', 'Widget', [], 'does not read "Widget"'],
])('%s is refused by its name', (_what, kind, parts, sentence) => {
  expect(() => reader.read(envelope('v1', kind, parts))).toThrow(sentence);
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
  return encodeEnvelope(apiVersion, kind, Buffer.concat(parts));
}

function message(field: number, parts: readonly Buffer[]): Buffer {
  return bytes(field, Buffer.concat(parts));
}

function entry(field: number, key: string, value: string): Buffer {
  return message(field, [text(1, key), text(2, value)]);
}

function entryOf(field: number, key: string, parts: readonly Buffer[]): Buffer {
  return message(field, [text(1, key), message(2, parts)]);
}
