import * as z from 'zod/mini';
import { isMapping, joinPath, type Mapping } from '../reading/schema-shape.ts';
import { configPageText } from './config-page.ts';
import { DOCUMENTED_FILES, meaningAt, valueAt, type DocumentedFile } from './documented-file.ts';

/** The files of `docs/reference` that are made from the schemas, by name. */
export function configReferenceFiles(): ReadonlyMap<string, string> {
  const schemas = DOCUMENTED_FILES.map((file) => [`${file.name}.schema.json`, jsonSchemaText(file)] as const);
  return new Map([['config.md', configPageText()] as const, ...schemas]);
}

/** The JSON Schema of a file as an editor needs it: nothing is required, and each field says what it means. */
function jsonSchemaText(file: DocumentedFile): string {
  const { $schema, ...schema } = z.toJSONSchema(file.schema, { io: 'input', reused: 'inline' });
  const document = { $schema, title: `${file.name}.yaml`, ...annotate(schema, '', file), type: 'object' };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function annotate(node: Mapping, path: string, file: DocumentedFile): Mapping {
  const { properties, required: _, ...rest } = node;
  if (!isMapping(properties)) return { ...describe(path, file), ...nullable(node), ...defaultOf(path, file) };
  const fields = Object.entries(properties).map(([key, field]) => [
    key,
    isMapping(field) ? annotate(field, joinPath(path, key), file) : field,
  ]);
  return { ...describe(path, file), ...nullable(rest), properties: Object.fromEntries(fields) };
}

function describe(path: string, { schema }: DocumentedFile): Mapping {
  const description = meaningAt(schema, path);
  return description === '' ? {} : { description };
}

/** Null is the same as nothing. Upstream's tools write it for lists that are not set. */
function nullable(node: Mapping): Mapping {
  return node['type'] === 'array' || node['type'] === 'object' ? { ...node, type: [node['type'], 'null'] } : node;
}

function defaultOf(path: string, { defaults }: DocumentedFile): Mapping {
  const value = valueAt(defaults, path);
  return value === undefined ? {} : { default: value };
}
