import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHECKOUT } from '../../support/beds/checkout.ts';
import { testNames } from '../../support/reporting/proofs.ts';
import { podProofReferenceFiles } from './behaviours-page.ts';
import { BEHAVIOURS } from './behaviours.ts';

const rows = BEHAVIOURS.flatMap(({ behaviours }) => behaviours);

test.each([...podProofReferenceFiles()])(
  'docs/reference/%s is what "node scripts/reference.ts" writes',
  (name, text) => {
    expect(readFileSync(join(CHECKOUT, 'docs/reference', name), 'utf8')).toBe(text);
  },
);

test.each(rows)('the behaviour "$behaviour" is shown by one test', ({ proof: { file, test: part } }) => {
  expect(testNames(file).filter((name) => name.includes(part))).toHaveLength(1);
});

test('each test is in the table once', () => {
  const named = rows.map(({ proof: { file, test: part } }) => `${file} ${part}`);
  expect(new Set(named).size).toBe(named.length);
});
