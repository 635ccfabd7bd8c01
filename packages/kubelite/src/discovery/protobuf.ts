const VARINT = 0;
const BYTES = 2;

/** A protobuf string field. An empty string is left out, as the format has it. */
export function textField(number: number, value: string): Buffer {
  return value === '' ? Buffer.alloc(0) : bytesField(number, Buffer.from(value));
}

/** A protobuf field that holds another message, or raw bytes. */
export function bytesField(number: number, value: Buffer): Buffer {
  return Buffer.concat([varint(number * 8 + BYTES), varint(value.length), value]);
}

/** A protobuf boolean field. */
export function flagField(number: number, value: boolean): Buffer {
  return value ? Buffer.concat([varint(number * 8 + VARINT), varint(1)]) : Buffer.alloc(0);
}

/** The fields of one message, one after the other. */
export function message(fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}
