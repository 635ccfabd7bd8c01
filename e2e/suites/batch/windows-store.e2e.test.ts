/** What is in the store of a Windows node is checked before a run uses it: one that is damaged is sent again. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWindowsSsh, type WindowsSshBed } from '../../support/beds/windows-ssh.ts';
import { unlimited } from '../../support/cloud/patience.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';
import { type BatchAnswer, type Controller, openController, problemsIn } from './controller.ts';
import { keyAuth } from './fleet-site.ts';

const STORE = 'C:\\windows\\fenestra\\store';
let bed: WindowsSshBed;
let controller: Controller;

beforeAll(async () => {
  bed = await startWindowsSsh(1, {}, unlimited());
  controller = await openController();
});
afterAll(async () => {
  await controller.close();
  await bed.stop();
});

test('a program that is whole is used as it is', async () => {
  expect(problemsIn(await askHistory())).toEqual([]);
  const answer = await askHistory();
  expect(problemsIn(answer)).toEqual([]);
  expect(bytesSent(answer)).toBe(0);
  expect(logOf(answer)).not.toContain('damaged');
});

const DAMAGES: readonly [string, (size: number) => number][] = [
  ['still starts', (size) => size - 1],
  ['does not start', () => 0],
];

test.each(isShortRun() ? DAMAGES.slice(0, 1) : DAMAGES)(
  'one that is damaged and %s is sent again',
  async (_, place) => {
    const { path, digest } = await stored();
    const file = await open(path, 'r+');
    const { size } = await file.stat();
    await file.write(Buffer.from([0xff]), 0, 1, place(size));
    await file.close();
    expect(await digestOf(path)).not.toBe(digest);
    const answer = await askHistory();
    expect(problemsIn(answer)).toEqual([]);
    expect(bytesSent(answer)).toBe(size);
    expect(logOf(answer)).toContain('The program in its store is damaged');
    expect(await digestOf(path)).toBe(digest);
  },
);

/** A command that is run on any machine, and changes nothing there. */
async function askHistory(): Promise<BatchAnswer> {
  const { sshd, nodes } = bed;
  const file = await controller.write('history.yaml', {
    defaults: { keadmCmd: 'history', ssh: { username: sshd.user, auth: keyAuth(sshd.keyFile) } },
    nodes: nodes.map(({ host, port }) => ({ nodeName: 'till-01', os: 'windows', ssh: { ip: host, port } })),
  });
  const flags = ['--runs', controller.runs, '--known-hosts', sshd.knownHosts];
  return controller.start(['run', '-c', file, ...flags]).ended;
}

function bytesSent({ events }: BatchAnswer): number {
  return Math.max(0, ...events.flatMap((event) => (event.type === 'node-progress' ? [event.doneBytes] : [])));
}

function logOf({ events }: BatchAnswer): string {
  return events.flatMap((event) => (event.type === 'node-log' ? [event.line] : [])).join('\n');
}

/** The program in the store, whose folder is named by its digest. */
async function stored(): Promise<{ readonly path: string; readonly digest: string }> {
  const folder = bed.nodes[0]?.node.hostPath(STORE) ?? '';
  const [digest = ''] = await readdir(folder);
  return { path: join(folder, digest, 'keadm.exe'), digest };
}

async function digestOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  return digest.digest('hex');
}
