import { expect, test } from 'vitest';
import { hasOwnMounts, withOwnMounts } from './own-mounts.ts';

test.skipIf(!hasOwnMounts())(
  'on a read-only disk, a step that did nothing is undone without an error',
  async () => {
    const script = `mount -t tmpfs none "$0"; echo old > "$0/old"; mount -o remount,ro "$0"; exec "$1" "$2" "$0"`;
    const output = await withOwnMounts(script, 'read-only-main.ts');
    const results: readonly (readonly [string, string, string])[] = JSON.parse(output);
    for (const [kind, , revert] of results) expect({ kind, revert }).toEqual({ kind, revert: 'done' });
    expect(results.filter(([, apply]) => apply !== 'done').length).toBeGreaterThan(9);
  },
  60_000,
);
