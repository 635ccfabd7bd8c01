/** Each weakness of KubeEdge's own batch command has a test of ours; a test that is renamed or removed is missed here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CHECKOUT } from '../../support/beds/checkout.ts';
import { textTable } from '../../support/reporting/text-table.ts';
import { FINDINGS } from './findings.ts';

afterAll(() => {
  const rows = FINDINGS.flatMap(({ number, weakness, proofs }) =>
    proofs.map((proof, index) => [index === 0 ? number : '', index === 0 ? weakness : '', proof.test, proof.file]),
  );
  process.stdout.write(`${textTable(['', 'weakness', 'test', 'file'], rows)}\n`);
});

test('all 27 are there', () => {
  expect(FINDINGS.map(({ number }) => number)).toEqual(Array.from({ length: 27 }, (_, index) => index + 1));
});

test.each(FINDINGS)('finding $number: $weakness', ({ proofs }) => {
  for (const { file, test: name } of proofs) expect(readFileSync(join(CHECKOUT, file), 'utf8')).toContain(name);
});
