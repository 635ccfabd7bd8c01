import { shapeOf, joinPath, type Shape } from '../reading/schema-shape.ts';
import { unknownKey } from '../reading/unknown-key.ts';

/** A place in a file: its keys in the schema's spelling, and the shape of what belongs there. */
export interface FieldPlace {
  readonly keys: readonly (string | number)[];
  readonly shape: Shape;
}

/** Finds what a typed path means. Keys match whatever their case, so Go's names of the fields fit as well. */
export function findField(path: string, schema: unknown): FieldPlace | { readonly problem: string } {
  const typed = readPath(path);
  return typed === undefined ? { problem: 'is not a path such as "modules.edgeHub.heartbeat"' } : walk(typed, schema);
}

type Keys = readonly (string | number)[];

interface Step {
  readonly keys: Keys;
  readonly rest: Keys;
  readonly field: unknown;
}

function walk(typed: Keys, schema: unknown): FieldPlace | { readonly problem: string } {
  let step: Step = { keys: [], rest: withoutEmbedded(typed), field: schema };
  while (step.rest.length > 0) {
    const next = descend(step, schema);
    if ('problem' in next) return next;
    step = next;
  }
  return { keys: step.keys, shape: shapeOf(step.field) };
}

function descend({ keys, rest, field }: Step, schema: unknown): Step | { readonly problem: string } {
  const shape = shapeOf(field);
  const [key = '', ...further] = rest;
  const here = keys.reduce(joinPath, '');
  switch (shape.kind) {
    case 'mapping': {
      const known = typeof key === 'string' ? knownField(key, shape.fields) : undefined;
      const place = { siblings: Object.keys(shape.fields), path: here, schema };
      if (known === undefined) return { problem: unknownKey(String(key), place) };
      return { keys: [...keys, known], rest: further, field: shape.fields[known] };
    }
    case 'names':
      // A label or a resource may have dots in its own name.
      return { keys: [...keys, rest.join('.')], rest: [], field: shape.value };
    case 'list':
      if (typeof key !== 'number') return { problem: `"${here}" is a list; name an element like "${here}[0]"` };
      return { keys: [...keys, key], rest: further, field: shape.element };
    case 'text':
    case 'switch':
    case 'scalar':
      return { problem: `"${here}" is a single value and has nothing in it` };
  }
}

function knownField(key: string, fields: Readonly<Record<string, unknown>>): string | undefined {
  const names = [key, GO_NAMES[key.toLowerCase()] ?? key].map((name) => name.toLowerCase());
  return Object.keys(fields).find((field) => names.includes(field.toLowerCase()));
}

/** Fields whose name in upstream's Go code is another word than in the file. */
const GO_NAMES: Readonly<Record<string, string>> = { tls: 'eventBusTLS', tunnelserver: 'server' };

/** Go structures that are spelled out in upstream's paths, but whose fields the file has one level up. */
const EMBEDDED: readonly string[] = ['typemeta', 'tailoredkubeletflag', 'containerruntimeoptions'];

function withoutEmbedded(keys: Keys): Keys {
  return keys.filter((key) => typeof key === 'number' || !EMBEDDED.includes(key.toLowerCase()));
}

/** `a.b[0]["x.y"]`, in its parts; `undefined` if it is not of this form. */
function readPath(path: string): Keys | undefined {
  const parts = [...path.matchAll(PART)];
  if (parts.length === 0 || parts.map(([text]) => text).join('') !== path || path.startsWith('.')) return undefined;
  return parts.map(([, index, quoted, name = '']) => (index === undefined ? (quoted ?? name) : Number(index)));
}

const PART = /\[(\d{1,6})\]|\["([^"]*)"\]|\.?([^.[\]]+)/g;
