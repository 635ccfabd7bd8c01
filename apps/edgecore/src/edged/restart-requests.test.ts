import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@fenestra/platform';
import { expect, test } from 'vitest';
import { restartRequests } from './restart-requests.ts';

test('every request is handed over once, and what is none is removed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-restarts-'));
  const request = { podUid: 'p', instances: ['c1'] };
  await writeFile(join(folder, 'one.json'), JSON.stringify(request));
  await writeFile(join(folder, 'broken.json'), '{');
  await writeFile(join(folder, 'one.json.partial'), 'not there yet');
  const stored: unknown[] = [];
  const take = restartRequests(folder, silentLogger());
  for (let round = 0; round < 2; round++) await take((each) => stored.push(each) > 0);
  expect(stored).toEqual([request]);
  expect(await readdir(folder)).toEqual(['one.json.partial']);
});

test('without the folder there are no requests', async () => {
  await restartRequests('/does/not/exist', silentLogger())(() => expect.unreachable());
});
