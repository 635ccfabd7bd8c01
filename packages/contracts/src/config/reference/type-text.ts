import * as z from 'zod/mini';
import { duration } from '../scalars.ts';
import { shapeOf } from '../reading/schema-shape.ts';

/** The schema of the field at a dotted path. */
export function schemaAt(schema: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, key) => {
    const shape = shapeOf(part);
    return shape.kind === 'mapping' ? shape.fields[key] : undefined;
  }, schema);
}

/** What may be written there, in a word or two. */
export function typeText(schema: unknown): string {
  if (schema instanceof z.ZodMiniOptional) return typeText(schema.def.innerType);
  if (schema === duration) return 'span of time';
  if (schema instanceof z.ZodMiniEnum) return schema.options.map((value) => `\`${value}\``).join(' or ');
  if (schema instanceof z.ZodMiniLiteral) return schema.def.values.map((value) => `\`${String(value)}\``).join(' or ');
  if (schema instanceof z.ZodMiniUnion) return schema.def.options.map(typeText).join(' or ');
  const shape = shapeOf(schema);
  if (shape.kind === 'list') return `list of ${typeText(shape.element)}`;
  if (shape.kind === 'names') return `names with ${typeText(shape.value)}`;
  if (shape.kind === 'mapping') return `mapping (${Object.keys(shape.fields).join(', ')})`;
  return NAMES[shape.kind === 'scalar' ? numberKind(schema) : shape.kind] ?? '';
}

const NAMES: Readonly<Record<string, string>> = {
  text: 'text',
  switch: 'true or false',
  number: 'number',
  integer: 'whole number',
};

function numberKind(schema: unknown): string {
  return schema instanceof z.ZodMiniNumberFormat ? 'integer' : 'number';
}
