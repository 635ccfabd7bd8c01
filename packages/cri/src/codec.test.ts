import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DescMessage } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decode, encode, METHODS } from './codec.ts';
import {
  ContainerState,
  file_runtime,
  ListContainersResponseSchema,
  StopContainerRequestSchema,
  VersionResponseSchema,
} from './messages.ts';

const text = fc.string({ unit: 'binary' });
const labels = fc.dictionary(text, text, { noNullPrototype: true });

/** What a newer runtime may add: field numbers that we do not have, in every way the format has. */
const unknownField = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => new BinaryWriter().tag(50, WireType.Varint).uint64(value)),
  fc.uint8Array().map((bytes) => new BinaryWriter().tag(51, WireType.LengthDelimited).bytes(bytes)),
  fc.double().map((value) => new BinaryWriter().tag(52, WireType.Bit64).double(value)),
  fc.float().map((value) => new BinaryWriter().tag(53, WireType.Bit32).float(value)),
);

test('a message is read back whatever is in it and whatever else the runtime adds', () => {
  const added = fc.array(unknownField.map((writer) => writer.finish()));
  fc.assert(
    fc.property(text, labels, fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), added, (id, named, createdAt, unknown) => {
      const container = { id, labels: named, createdAt, state: ContainerState.CONTAINER_EXITED };
      const bytes = encode(ListContainersResponseSchema, { containers: [container] });
      const read = decode(ListContainersResponseSchema, Buffer.concat([bytes, ...unknown]));
      expect(read.containers[0]).toMatchObject(container);
      expect(read.$unknown).toBeUndefined();
    }),
  );
});

test('bytes that are not a message are MESSAGE_INVALID and nothing else', () => {
  const schemas: readonly DescMessage[] = Object.values(METHODS).map(({ output }) => output);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.constantFrom(...schemas), (bytes, schema) => {
      try {
        decode(schema, bytes);
      } catch (error) {
        expect(error).toMatchObject({ code: 'MESSAGE_INVALID' });
      }
    }),
  );
});

test('the bytes are those of the format', () => {
  const request = encode(StopContainerRequestSchema, { containerId: 'ab', timeout: 300n });
  expect(Buffer.from(request).toString('hex')).toBe('0a02616210ac02');
  const answer = Buffer.from('0a05302e312e301204637269311a03312e3022027631', 'hex');
  expect(decode(VersionResponseSchema, answer)).toMatchObject({ runtimeName: 'cri1', runtimeVersion: '1.0' });
});

test('the generated messages are those of the definition', () => {
  const definition = readFileSync(join(import.meta.dirname, '../proto/runtime.proto'), 'utf8');
  const generated = file_runtime.messages.map(({ name, fields }) => ({
    name,
    fields: fields.map((field) => `${field.name} = ${field.number}`),
  }));
  expect(generated).toEqual(messagesIn(definition));
});

/** The messages of a definition with the names and numbers of their fields. The one enumeration in a message is left out. */
function messagesIn(definition: string): readonly { name: string; fields: readonly string[] }[] {
  const flat = definition.replaceAll(/\/\/.*/g, '').replaceAll(/\benum \w+ \{[^}]*\}/g, '');
  return [...flat.matchAll(/\bmessage (\w+) \{([^}]*)\}/g)].map(([, name = '', body = '']) => ({
    name,
    fields: [...body.matchAll(/(\w+ = \d+);/g)].map(([, field = '']) => field),
  }));
}
