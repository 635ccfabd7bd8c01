import type { Json } from '@fenestra/kernel';
import { isJsonObject, type JsonObject } from '@fenestra/kube-api';
import type { Random } from './random.ts';

/** Values that programs read wrongly, cheap to send. */
const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  '\u001B[2J\u001B]0;x\u0007',
  '\u202Egnp.exe',
  '\uD800',
  '../../../../etc/shadow',
  '..%2f..%2fsecrets',
  '__proto__',
  'constructor',
  'toString',
  'null',
  '-1',
  '18446744073709551616',
  '1e400',
  '9'.repeat(400),
  'a'.repeat(5_000),
  'a,'.repeat(2_000),
  '(a+)+$',
  '(((((((((((((((((((((a?){30}){30}',
  'x in (a,b),!y,z notin (c)',
  'a\\,b=c,metadata.name=d',
  '<script>alert(1)</script>',
  '{"a":{"b":',
  '%E0%A4%A',
  '日本語\u0000\uFFFF',
];

const HOSTILE_VALUES: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  Number.MAX_SAFE_INTEGER,
  -1e308,
  [],
  {},
  [[[[[[[[]]]]]]]],
  Array.from({ length: 500 }, () => null),
  Array.from({ length: 500 }, (_, index) => ({ name: `n${index % 7}`, key: 'k', type: 't', containerPort: index })),
  Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, index])),
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
];

/** One of the hostile texts. */
export function hostileText(random: Random): string {
  return random.pick(HOSTILE_TEXTS);
}

/** The same document with up to three places in it replaced, removed, repeated or buried in depth. */
export function mutateJson(random: Random, document: Json): Json {
  let changed = document;
  for (let left = 1 + random.below(3); left > 0; left -= 1) changed = changeOnePlace(random, changed);
  return changed;
}

function changeOnePlace(random: Random, value: Json): Json {
  if (random.chance(0.1)) return replacement(random, value);
  if (Array.isArray(value)) return changeItem(random, value);
  return isJsonObject(value) ? changeField(random, value) : replacement(random, value);
}

function changeField(random: Random, fields: JsonObject): Json {
  const keys = Object.keys(fields);
  if (keys.length === 0) return replacement(random, fields);
  const chosen = random.pick(keys);
  if (random.chance(0.1)) return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== chosen));
  if (random.chance(0.05)) return { ...fields, [hostileText(random)]: replacement(random, null) };
  return { ...fields, [chosen]: changeOnePlace(random, fields[chosen] ?? null) };
}

function changeItem(random: Random, items: readonly Json[]): Json {
  if (items.length === 0 || random.chance(0.1)) return [...items, replacement(random, null)];
  const chosen = random.below(items.length);
  if (random.chance(0.1)) return [...items, ...items];
  return items.map((item, index) => (index === chosen ? changeOnePlace(random, item) : item));
}

function replacement(random: Random, value: Json): Json {
  if (random.chance(0.02)) return buried(value, random.pick([50, 900]));
  return random.chance(0.5) ? hostileText(random) : random.pick(HOSTILE_VALUES);
}

function buried(value: Json, depth: number): Json {
  let outer = value;
  for (let level = 0; level < depth; level += 1) outer = level % 2 === 0 ? [outer] : { a: outer };
  return outer;
}

/** The same bytes with a few of them changed, repeated, removed, or cut off. */
export function mutateBytes(random: Random, bytes: Buffer): Buffer {
  const at = random.below(bytes.length + 1);
  const length = random.below(Math.min(64, bytes.length - at) + 1);
  switch (random.below(4)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 2:
      return Buffer.concat([
        bytes.subarray(0, at),
        ...Array.from({ length: 4 }, () => bytes.subarray(at, at + length)),
        bytes.subarray(at),
      ]);
    default: {
      const changed = Buffer.from(bytes);
      for (let left = 1 + random.below(8); left > 0 && changed.length > 0; left -= 1)
        changed[random.below(changed.length)] = random.below(256);
      return changed;
    }
  }
}
