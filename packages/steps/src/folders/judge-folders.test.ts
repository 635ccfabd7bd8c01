import { expect, test } from 'vitest';
import { matchesAny } from './judge-folders.ts';

test.each([
  ['edgecore.db', ['edgecore.db'], true],
  ['edgecoreXdb', ['edgecore.db'], false],
  ['edgecore.db-wal', ['edgecore.db*'], true],
  ['previous-0123-edgecore', ['previous-*-edgecore'], true],
  ['previous-edgecore', ['previous-*-edgecore'], false],
  ['a+b(c)', ['a+b(c)'], true],
  ['anything', ['*'], true],
  ['edgecore', [], false],
])('%s is one of %j: %s', (name, patterns, expected) => {
  expect(matchesAny(name, patterns)).toBe(expected);
});
