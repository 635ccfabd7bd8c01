import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addEntry, removeEntry, splitPath } from './machine-path.ts';

const WINDOWS = String.raw`%SystemRoot%\system32;%SystemRoot%;C:\Go\bin`;
const folder = fc
  .string({ unit: fc.constantFrom('a', 'B', '\\', ' ', '%'), minLength: 1 })
  .map((name) => `C:\\${name}x`);
const path = fc.array(folder).map((folders) => folders.join(';'));

test('addEntry appends to the path and keeps the rest as it was', () => {
  expect(addEntry(WINDOWS, String.raw`C:\edge`)).toBe(String.raw`${WINDOWS};C:\edge`);
});

test.each([String.raw`c:\go\BIN`, 'C:\\Go\\bin\\', '"C:\\Go\\bin"', 'C:/Go/bin'])(
  'addEntry does not add %s, which is there in another spelling',
  (spelling) => {
    expect(addEntry(WINDOWS, spelling)).toBe(WINDOWS);
  },
);

test('removeEntry takes the folder out in any spelling', () => {
  expect(removeEntry(WINDOWS, 'c:\\go\\bin\\')).toBe(String.raw`%SystemRoot%\system32;%SystemRoot%`);
});

test('adding twice is adding once, and removing afterwards gives the folders from before', () => {
  fc.assert(
    fc.property(path, folder, (before, added) => {
      const once = addEntry(before, added);
      expect(addEntry(once, added)).toBe(once);
      if (once !== before) expect(splitPath(removeEntry(once, added))).toEqual(splitPath(before));
    }),
  );
});

test('a path longer than old limits is not cut', () => {
  const long = Array.from({ length: 400 }, (_, index) => String.raw`C:\folder-${index}`).join(';');
  expect(addEntry(long, String.raw`C:\edge`)).toBe(String.raw`${long};C:\edge`);
});
