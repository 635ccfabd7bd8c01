import { expect, test } from 'vitest';
import { isWithin, mountPointsBelow, mountPointsIn, podVolumesAmong, podVolumesBelow } from './mount-points.ts';

test('mount points are read with the characters that the kernel escapes', () => {
  const table = '1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:5 / /var/lib/a\\040b rw - tmpfs tmpfs rw\n';
  expect(mountPointsIn(table)).toEqual(['/', '/var/lib/a b']);
});

test('the mounts of this machine are found', async () => {
  expect(await mountPointsBelow('/proc')).toContain('/proc');
  expect(await mountPointsBelow('/no/such/place')).toEqual([]);
});

test("pods' volumes are distinguished from what else is mounted in a kubelet's folder", async () => {
  const points = [
    '/data/k/pods/1/volumes/x',
    '/data/k/plugins/csi/y',
    '/data/k',
    '/data/k/device-plugins',
    '/data/other',
  ];
  expect(podVolumesAmong(points, '/data/k')).toEqual(['/data/k/pods/1/volumes/x', '/data/k/plugins/csi/y']);
  expect(await podVolumesBelow('/no/such/place')).toEqual([]);
});

test.each([
  ['/a', '/a', true],
  ['/a/b', '/a', true],
  ['/a', '/', true],
  ['/ab', '/a', false],
  ['/', '/a', false],
  ['/a/..b', '/a', true],
])('%s within %s: %s', (path, folder, within) => {
  expect(isWithin(path, folder)).toBe(within);
});
