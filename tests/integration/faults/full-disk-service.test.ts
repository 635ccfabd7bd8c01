import { expect, test } from 'vitest';
import { hasOwnMounts, withOwnMounts } from './own-mounts.ts';

const SCRIPT = `mount -t tmpfs -o size=1m none "$0"
"$1" "$2" "$0" install
cat /dev/zero >> "$0/fill" 2> /dev/null || true
"$1" "$2" "$0" run`;

test.skipIf(!hasOwnMounts())('a supervised service starts and stops on a disk without one byte free', async () => {
  const output = await withOwnMounts(SCRIPT, 'full-disk-service-main.ts');
  expect(output.trim().split('\n')).toEqual(['1 running', '1 stopped', '2 running', '2 stopped']);
});
