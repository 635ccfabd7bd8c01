import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeOldLogs } from './remove-old-logs.ts';

test('logs that are older than every instance of their container are removed, rotated ones included', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-old-logs-'));
  for (const name of ['main', 'other', 'gone']) {
    await mkdir(join(folder, name));
    for (const file of ['0.log', '1.log', '1.log.20260301-100000.gz', '9.log', '10.log', 'notes'])
      await writeFile(join(folder, name, file), '');
  }
  await removeOldLogs(folder, [
    { name: 'main', attempt: 10 },
    { name: 'main', attempt: 9 },
    { name: 'other', attempt: 0 },
    { name: 'never', attempt: 3 },
  ]);
  expect((await readdir(join(folder, 'main'))).toSorted()).toEqual(['10.log', '9.log', 'notes']);
  expect(await readdir(join(folder, 'other'))).toHaveLength(6);
  expect(await readdir(join(folder, 'gone'))).toHaveLength(6);
});
