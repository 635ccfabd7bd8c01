import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NOTHING_OBSERVED } from '@fenestra/pods';
import { expect, test } from 'vitest';
import { loggedAttempts } from './logged-attempts.ts';
import { observedRunning, podOf } from './testing/pods.ts';

test('the attempts of containers that the runtime does not know are counted from their logs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-logs-'));
  const pod = podOf({ containers: ['main', 'new', 'running'].map((name) => ({ name, image: 'a' })) });
  try {
    for (const name of ['main', 'running']) {
      const logs = join(folder, 'shop_web_uid-1', name);
      await mkdir(logs, { recursive: true });
      for (const file of ['2.log', '10.log.20260101-000000', 'x']) await writeFile(join(logs, file), '');
    }
    const observed = { ...NOTHING_OBSERVED, containers: [observedRunning('running')] };
    expect(await loggedAttempts(folder)(pod, observed)).toEqual(new Map([['main', 10]]));
  } finally {
    await rm(folder, { recursive: true });
  }
});
