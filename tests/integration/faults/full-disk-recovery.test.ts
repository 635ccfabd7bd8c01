import { expect, test } from 'vitest';
import { hasOwnMounts, withOwnMounts } from './own-mounts.ts';

const MOUNT = 'mount -t tmpfs -o size=2m none "$0"; echo old > "$0/one"';
const KILLED_CHANGE = 'FENESTRA_KILL_AFTER_RECORD=5 "$1" "$2" "$0" change || true';
const FILL = 'rm -f "$0"/bookkeeping/journal/space-reserve; cat /dev/zero >> "$0/fill" 2> /dev/null || true';
const PICTURE = 'cat "$0/one"; ls "$0" "$0"/bookkeeping/lock';

test.skipIf(!hasOwnMounts())(
  'with not one byte free, a stopped owner is followed and its work undone, however often recovery is killed',
  async () => {
    const killed = [1, 2, 3].map((n) => `FENESTRA_KILL_AFTER_RECORD=${n} "$1" "$2" "$0" recover || true; ${FILL}`);
    const script = [MOUNT, KILLED_CHANGE, FILL, ...killed, `"$1" "$2" "$0" recover`, PICTURE].join('\n');
    const lines = (await withOwnMounts(script, 'full-disk-main.ts')).trim().split('\n');
    expect(lines.filter((line) => line.startsWith('[')).at(-1)).toMatch(/^\[{.*"outcome":"reverted"}\]$/);
    const picture = lines.slice(lines.indexOf('old'));
    expect(picture.filter((line) => line !== '' && !line.endsWith(':'))).toEqual([
      'old',
      'bookkeeping',
      'fill',
      'one',
      expect.stringMatching(/^lock-\d+$/),
      'spare',
    ]);
  },
  120_000,
);
