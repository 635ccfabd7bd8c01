import { expect, test } from 'vitest';
import { isStrictlyInside } from './remove-tree.ts';

test.each([
  [String.raw`C:\var\lib\x`, String.raw`C:\var\lib`, true],
  [String.raw`c:\VAR\Lib\x\y`, String.raw`C:\var\lib`, true],
  [String.raw`\\?\C:\var\lib\x`, String.raw`C:\var\lib`, true],
  [String.raw`C:/var/lib/x`, String.raw`C:\var\lib` + '\\', true],
  [String.raw`C:\var\lib\..x`, String.raw`C:\var\lib`, true],
  [String.raw`C:\var\lib`, String.raw`C:\var\lib`, false],
  [String.raw`C:\var\lib\..\lib2`, String.raw`C:\var\lib`, false],
  [String.raw`C:\var\library`, String.raw`C:\var\lib`, false],
  [String.raw`C:\var`, String.raw`C:\var\lib`, false],
  [String.raw`D:\var\lib\x`, String.raw`C:\var\lib`, false],
  [String.raw`\\server\share\x`, String.raw`C:\var\lib`, false],
])('%s inside %s: %s', (path, root, inside) => {
  expect(isStrictlyInside(path, root)).toBe(inside);
});
