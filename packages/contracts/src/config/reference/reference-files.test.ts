import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fieldPaths } from '../reading/schema-shape.ts';
import { DOCUMENTED_FILES, meaningAt } from './documented-file.ts';
import { configReferenceFiles } from './reference-files.ts';

const FOLDER = join(import.meta.dirname, '../../../../../docs/reference');

test.each([...configReferenceFiles()])('docs/reference/%s is what "node scripts/reference.ts" writes', (name, text) => {
  expect(readFileSync(join(FOLDER, name), 'utf8')).toBe(text);
});

test.each(DOCUMENTED_FILES)('every field of $name.yaml has a meaning', ({ schema }) => {
  expect(fieldPaths(schema).filter((path) => meaningAt(schema, path) === '')).toEqual([]);
});
