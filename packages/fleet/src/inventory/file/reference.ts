import * as z from 'zod/mini';
import { isMapping, type Mapping } from '@fenestra/contracts/reading';
import { BATCH_MEANINGS } from './meanings.ts';
import { BatchFile } from './schema.ts';

/** The files of `docs/reference` about the batch file, by name. */
export function batchFileReferenceFiles(): ReadonlyMap<string, string> {
  return new Map([['batch.schema.json', schemaText()]]);
}

function schemaText(): string {
  const { $schema, ...schema } = z.toJSONSchema(BatchFile, { io: 'input', reused: 'inline' });
  return `${JSON.stringify({ $schema, title: 'The file of keadm batch', ...annotate(schema, '') }, undefined, 2)}\n`;
}

/** What a key means, by the longest end of its path that something is said about. */
function batchMeaning(path: string): string | undefined {
  const parts = path.split(/\.|(?=\[)/);
  const ends = parts.map((_, index) => parts.slice(index).join('.').replaceAll('.[', '['));
  return ends.map((end) => BATCH_MEANINGS[end]).find((meaning) => meaning !== undefined);
}

/** Adds what each key means. An alternative is at the same place, so it is described once, around all of them. */
function annotate(node: Mapping, path: string): Mapping {
  const { properties, items, anyOf, additionalProperties: rest, ...plain } = node;
  const description = batchMeaning(path);
  return {
    ...(description === undefined ? {} : { description }),
    ...plain,
    ...(isMapping(properties)
      ? { properties: mapValues(properties, (key) => `${path === '' ? '' : `${path}.`}${key}`) }
      : {}),
    ...(isMapping(items) ? { items: annotate(items, `${path}[]`) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map((option: unknown) => alternative(option, path)) } : {}),
    ...(rest === undefined ? {} : { additionalProperties: isMapping(rest) ? annotate(rest, `${path}.*`) : rest }),
  };
}

function mapValues(properties: Mapping, pathOf: (key: string) => string): Mapping {
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [key, isMapping(value) ? annotate(value, pathOf(key)) : value]),
  );
}

/** An element of a list that may also stand alone means the same there. */
function alternative(option: unknown, path: string): unknown {
  if (!isMapping(option)) return option;
  const { items, ...rest } = option;
  const { description: _, ...annotated } = annotate(rest, path);
  return items === undefined ? annotated : { ...annotated, items: alternative(items, path) };
}
