import { expect, test } from 'vitest';
import { mountPointsWithin, parseMountPoints } from './remove-tree.ts';

test('parseMountPoints reads mount points with odd characters', () => {
  const table = [
    '22 28 0:20 / /sys rw,nosuid shared:7 - sysfs sysfs rw',
    '36 22 8:1 /a /mnt/two\\040words\\134x rw - ext4 /dev/sda1 rw',
    '',
  ].join('\n');
  expect(parseMountPoints(table)).toEqual(['/sys', '/mnt/two words\\x']);
});

test('mountPointsWithin finds a mount at the path and below it', async () => {
  expect(await mountPointsWithin('/proc')).toContain('/proc');
  expect(await mountPointsWithin('/')).toContain('/proc');
  expect(await mountPointsWithin('/etc/nowhere')).toEqual([]);
});
