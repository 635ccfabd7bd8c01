import { expect, test } from 'vitest';
import { toUnixPath, toWindowsPath } from './windows-path.ts';

test('a path of this machine is on drive Z of the node, and comes back the same', () => {
  expect(toWindowsPath('/srv/a b/c.exe')).toBe('Z:\\srv\\a b\\c.exe');
  expect(toUnixPath(toWindowsPath('/srv/a b/c.exe'))).toBe('/srv/a b/c.exe');
});

test('drive C is in the prefix, whatever the case of its letter', () => {
  expect(toUnixPath('c:\\etc\\kubeedge')).toBe('/windows/drive_c/etc/kubeedge');
});

test('another drive is refused', () => {
  expect(() => toUnixPath('D:\\x')).toThrow('C: and Z:');
});
