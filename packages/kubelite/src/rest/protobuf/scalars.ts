import type { Json } from '../../objects/json.ts';
import { badRequest } from '../../objects/statuses.ts';
import { readWire } from './wire.ts';

type Wire = Buffer | bigint;

/** How a value on the wire becomes JSON; undefined where it says nothing. */
export const SCALARS: Readonly<Record<string, (value: Wire) => Json | undefined>> = {
  string: textOf,
  bytes: (value) => bytesOf(value).toString('base64'),
  bool: (value) => value === 1n,
  int: (value) => Number(BigInt.asIntN(64, numberOf(value))),
  Time: (value) => momentOf(value)?.replace(/\.\d+Z$/, 'Z'),
  MicroTime: (value) => momentOf(value)?.replace(/Z$/, '000Z'),
  Quantity: (value) => textOf(partOf(value, 1) ?? Buffer.alloc(0)),
  IntOrString: intOrString,
  Raw: rawOf,
  FieldsV1: rawOf,
  ExtraValue: (value) =>
    [...readWire(bytesOf(value))].filter(({ number }) => number === 1).map((item) => textOf(item.value)),
};

function textOf(value: Wire): string {
  return bytesOf(value).toString('utf8');
}

/** A moment without seconds is one that was never set. */
function momentOf(value: Wire): string | undefined {
  const seconds = partOf(value, 1);
  const nanoseconds = partOf(value, 2);
  if (typeof seconds !== 'bigint') return;
  const milliseconds = Number(BigInt.asIntN(64, seconds)) * 1000;
  const rest = typeof nanoseconds === 'bigint' ? Number(nanoseconds) / 1e6 : 0;
  const moment = new Date(milliseconds + rest);
  if (Number.isNaN(moment.getTime())) throw badRequest('a time in the request is out of range');
  return moment.toISOString();
}

function intOrString(value: Wire): Json {
  const isText = partOf(value, 1) === 1n;
  if (isText) return textOf(partOf(value, 3) ?? Buffer.alloc(0));
  return Number(BigInt.asIntN(64, numberOf(partOf(value, 2) ?? 0n)));
}

function rawOf(value: Wire): Json | undefined {
  const raw = textOf(partOf(value, 1) ?? Buffer.alloc(0));
  if (raw === '') return;
  try {
    const parsed: Json = JSON.parse(raw);
    return parsed;
  } catch {
    throw badRequest('a part of the request that shall be JSON is not');
  }
}

function partOf(value: Wire, number: number): Wire | undefined {
  return [...readWire(bytesOf(value))].findLast((field) => field.number === number)?.value;
}

function bytesOf(value: Wire): Buffer {
  if (typeof value === 'bigint') throw badRequest('a field of the request has the wrong type');
  return value;
}

function numberOf(value: Wire): bigint {
  if (typeof value !== 'bigint') throw badRequest('a field of the request has the wrong type');
  return value;
}
