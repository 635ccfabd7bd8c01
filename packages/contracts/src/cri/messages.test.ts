import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  idRequest,
  readConditions,
  readContainers,
  readSandboxes,
  readVersion,
  stopContainerRequest,
} from './messages.ts';
import { bytesField, joinFields, mapField, numberField, readFields, textField } from './protobuf.ts';

const text = fc.string({ unit: 'binary' });
const labels = fc.dictionary(text, text, { noNullPrototype: true });
/** What a newer runtime may add: its own field numbers, in every way the format has. */
const unknownFields = fc.array(
  fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => Buffer.from([...tagOf(50, 0), ...varintOf(value)])),
    fc.uint8Array().map((bytes) => bytesField(51, bytes)),
    fc.uint8Array({ minLength: 8, maxLength: 8 }).map((bytes) => Buffer.from([...tagOf(52, 1), ...bytes])),
    fc.uint8Array({ minLength: 4, maxLength: 4 }).map((bytes) => Buffer.from([...tagOf(53, 5), ...bytes])),
  ),
);

function tagOf(number: number, wire: number): readonly number[] {
  return varintOf(BigInt(number * 8 + wire));
}

function varintOf(value: bigint): readonly number[] {
  return value < 128n ? [Number(value)] : [Number(value % 128n) + 128, ...varintOf(value / 128n)];
}

test('a sandbox is read back whatever its labels are and whatever else the runtime says about it', () => {
  fc.assert(
    fc.property(text, fc.boolean(), labels, unknownFields, (id, ready, named, others) => {
      const sandbox = joinFields(textField(1, id), numberField(3, ready ? 0 : 1), ...others, mapField(5, named));
      expect(readSandboxes(bytesField(1, sandbox))).toEqual([{ id, ready, labels: named }]);
    }),
  );
});

test('a container is read back with its sandbox and state', () => {
  fc.assert(
    fc.property(text, text, fc.nat(3), labels, (id, sandboxId, state, named) => {
      const container = joinFields(
        textField(1, id),
        textField(2, sandboxId),
        numberField(6, state),
        mapField(8, named),
      );
      expect(readContainers(bytesField(1, container))).toEqual([
        { id, sandboxId, running: state === 1, labels: named },
      ]);
    }),
  );
});

test('whatever the bytes are, reading throws nothing but MESSAGE_INVALID', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      for (const read of [readVersion, readConditions, readSandboxes, readContainers])
        try {
          read(bytes);
        } catch (error) {
          expect(error).toMatchObject({ code: 'MESSAGE_INVALID' });
        }
    }),
  );
});

test('a message that was cut off is refused, at whatever byte', () => {
  const whole = joinFields(textField(1, 'a text'), numberField(2, 300), mapField(3, { key: 'value' }));
  const ends = [...whole.keys()].filter((end) => !isWhole(whole.subarray(0, end)));
  expect(ends).toHaveLength(whole.length - 3);
});

function isWhole(bytes: Uint8Array): boolean {
  try {
    return readFields(bytes).length >= 0;
  } catch {
    return false;
  }
}

test('the bytes are those of the format', () => {
  expect(Buffer.from(stopContainerRequest('ab', 300)).toString('hex')).toBe('0a02616210ac02');
  expect(Buffer.from(stopContainerRequest('ab', 0)).toString('hex')).toBe('0a026162');
  expect(Buffer.from(idRequest('ab')).toString('hex')).toBe('0a026162');
  expect(readVersion(Buffer.from('0a05302e312e301204637269311a03312e3022027631', 'hex'))).toEqual({
    name: 'cri1',
    version: '1.0',
  });
});

test('readConditions tells what holds from what does not', () => {
  const ready = joinFields(textField(1, 'RuntimeReady'), numberField(2, 1));
  const network = joinFields(
    textField(1, 'NetworkReady'),
    textField(3, 'NetworkPluginNotReady'),
    textField(4, 'no cni'),
  );
  const status = joinFields(bytesField(1, ready), bytesField(1, network));
  expect(readConditions(bytesField(1, status))).toEqual([
    { type: 'RuntimeReady', holds: true, reason: '', message: '' },
    { type: 'NetworkReady', holds: false, reason: 'NetworkPluginNotReady', message: 'no cni' },
  ]);
  expect(readConditions(new Uint8Array())).toEqual([]);
});
