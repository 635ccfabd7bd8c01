import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHECKOUT } from '../../support/beds/checkout.ts';
import { testNames } from '../../support/reporting/proofs.ts';
import { FAULTS, FAULTS_FILE } from './faults.ts';
import { FINDINGS } from './findings.ts';
import { batchProofReferenceFiles } from './proofs-page.ts';

const suite = textOf(FAULTS_FILE);

test.each([...batchProofReferenceFiles()])(
  'docs/reference/%s is what "node scripts/reference.ts" writes',
  (name, text) => {
    expect(textOf(`docs/reference/${name}`)).toBe(text);
  },
);

test.each(FINDINGS.flatMap(({ proofs }) => proofs))('there is a test "$test" in $file', ({ file, test: name }) => {
  expect(testNames(file).filter((each) => each.includes(name))).not.toEqual([]);
});

test.each(FAULTS)('the fault "$name" is made by the test "$test"', ({ name, test: part }) => {
  expect(testNames(FAULTS_FILE).filter((each) => each.includes(part))).toHaveLength(1);
  expect(suite).toContain(`'${name}'`);
});

test('every fault that the suite notes is in the list', () => {
  const noted = [...suite.matchAll(/\bnote\('([^']+)'/g)].map(([, name]) => name);
  expect(noted.length).toBeGreaterThan(0);
  expect(FAULTS.map(({ name }) => name)).toEqual(expect.arrayContaining(noted));
});

function textOf(file: string): string {
  return readFileSync(join(CHECKOUT, file), 'utf8');
}
