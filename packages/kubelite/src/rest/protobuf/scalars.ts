import { isUtf8 } from 'node:buffer';
import type { Json } from '../../objects/json.ts';
import type { WireField } from './wire.ts';

const INT32 = 2 ** 31;

/** The JSON value of a scalar on the wire; undefined where it is not a value of that type that JSON can carry. */
export const SCALARS: Readonly<Record<string, (field: WireField) => Json | undefined>> = {
  string: (field) => (field.wire === 'bytes' && isUtf8(field.value) ? field.value.toString('utf8') : undefined),
  bytes: (field) => (field.wire === 'bytes' ? field.value.toString('base64') : undefined),
  bool: (field) => (field.wire === 'varint' ? field.value !== 0n : undefined),
  int32: (field) => integer(field, (value) => value >= -INT32 && value < INT32),
  int64: (field) => integer(field, Number.isSafeInteger),
  double: (field) => (field.wire === 'fixed64' ? finite(field.value.readDoubleLE()) : undefined),
};

function integer(field: WireField, fits: (value: number) => boolean): number | undefined {
  if (field.wire !== 'varint') return;
  const value = Number(BigInt.asIntN(64, field.value));
  return fits(value) ? value : undefined;
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
