import type { RegistryContent } from '@fenestra/platform';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentOf, keysAbove, valueOf } from './windows-system-setup.ts';

const bytes = fc.uint8Array().map((content) => Buffer.from(content).toString('base64'));

const contents: fc.Arbitrary<RegistryContent> = fc.oneof(
  fc.record({ type: fc.constant('number' as const), value: fc.nat(0xffff_ffff) }),
  fc.record({ type: fc.constant('text' as const), value: fc.string().filter((text) => !text.includes('\0')) }),
  fc.record({ type: fc.constant('other' as const), code: fc.constantFrom(0, 2, 3, 7, 11), base64: bytes }),
);

test('contentOf reads back whatever valueOf makes', () => {
  fc.assert(
    fc.property(contents, (content) => {
      expect(contentOf(valueOf(content))).toEqual(content);
    }),
  );
});

test('keysAbove begins at the top', () => {
  expect(keysAbove('A\\B\\C')).toEqual(['A', 'A\\B', 'A\\B\\C']);
});
