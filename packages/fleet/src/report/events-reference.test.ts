import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BatchNodeState } from './events.ts';
import { batchEventReferenceFiles } from './events-reference.ts';

const FOLDER = join(import.meta.dirname, '../../../../docs/reference');

test.each([...batchEventReferenceFiles()])(
  'docs/reference/%s is what "node scripts/reference.ts" writes',
  (name, text) => {
    expect(readFileSync(join(FOLDER, name), 'utf8')).toBe(text);
  },
);

test('every state has a meaning', () => {
  const page = batchEventReferenceFiles().get('batch-events.md') ?? '';
  for (const state of BatchNodeState.options) expect(page).toContain(`| \`${state}\` |`);
});
