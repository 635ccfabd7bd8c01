import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BLANK_RECORD, recordText } from '../worker-record.ts';
import { alreadyJoined } from './membership.ts';

const cluster = { nodeName: 'w', endpoint: 'e', server: 's', caSha256: 'c', criSocket: 'r' };
let folder: string;
let layout: { readonly recordFile: string; readonly kubeconfig: string };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'already-joined-'));
  layout = { recordFile: join(folder, 'worker.json'), kubeconfig: join(folder, 'kubelet.conf') };
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

test('a machine with a record of its cluster and an identity in it has joined', async () => {
  expect(await alreadyJoined(layout)).toBe(false);
  await writeFile(layout.recordFile, recordText({ ...BLANK_RECORD, cluster }));
  expect(await alreadyJoined(layout)).toBe(false);
  await writeFile(layout.kubeconfig, '');
  expect(await alreadyJoined(layout)).toBe(true);
});

test('one that was only prepared, or whose record no one understands, has not', async () => {
  await writeFile(layout.kubeconfig, '');
  for (const text of [recordText(BLANK_RECORD), '{}']) {
    await writeFile(layout.recordFile, text);
    expect(await alreadyJoined(layout)).toBe(false);
  }
});
