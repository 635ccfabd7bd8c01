import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lintReferenceFiles, RULE_IDS, RULES } from './rules.ts';

test('the page of the rules says what the rules say', () => {
  for (const [name, text] of lintReferenceFiles()) expect(readFileSync(`docs/reference/${name}`, 'utf8')).toBe(text);
});

test.each(RULE_IDS)('%s says what is wrong, why, and what to do', (id) => {
  const { title, why, remedy } = RULES[id];
  expect(title).toMatch(/[^.]$/);
  expect(why).toMatch(/[.]$/);
  expect(remedy).toMatch(/[.]$/);
});
