import { chmod, mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringAt } from '@fenestra/kernel';
import { jsonLogger } from '@fenestra/platform';
import { posixAccessControl, posixFileStore } from '@fenestra/platform-linux';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../meta/testing/temporary-folder.ts';
import { manifestMemory } from './manifest-memory.ts';
import { followStaticPods, type StaticPods } from './static-pods.ts';

const LONG_AGO = new Date(0);
const WAITING = { timeout: 20_000, interval: 20 };
const asRoot = process.geteuid?.() === 0;

function podText(name: string, image = 'web:1'): string {
  return JSON.stringify({ kind: 'Pod', metadata: { name }, spec: { containers: [{ name: 'main', image }] } });
}

function namesOf({ pods }: StaticPods): readonly string[] {
  return pods.map((pod) => stringAt(pod, 'metadata', 'name'));
}

/** A folder of static pods, and what follows it. */
async function place() {
  const root = temporaryFolder();
  const folder = join(root, 'manifests');
  await mkdir(folder, { mode: 0o755 });
  const lines: string[] = [];
  const take = (line: string): void => void lines.push(line);
  const log = jsonLogger(take, 'info', () => new Date());
  const access = posixAccessControl();
  const memory = manifestMemory(join(root, 'static_pods_state'), { files: posixFileStore(), access });
  const follow = () => {
    const life = new AbortController();
    const options = { access, folder, memory, log, nodeName: 'n1', lookEveryMs: 50, onChange: () => {} };
    const pods = followStaticPods({ ...options, now: () => Date.now() }, life.signal);
    const stop = async (): Promise<void> => {
      life.abort();
      await pods.ended;
    };
    onTestFinished(stop);
    return { pods, stop };
  };
  const write = async (name: string, text: string, writtenAt = LONG_AGO): Promise<string> => {
    const file = join(folder, name);
    const draft = join(root, 'draft');
    await writeFile(draft, text);
    await utimes(draft, writtenAt, writtenAt);
    await rename(draft, file);
    return file;
  };
  return { folder, lines, follow, write };
}

test('static pods follow the files of a folder', async () => {
  const { follow, write } = await place();
  const web = await write('web.yaml', podText('web'));
  const { pods } = follow();
  expect(pods.isComplete).toBe(false);
  await vi.waitFor(() => expect(pods.isComplete).toBe(true), WAITING);
  expect(namesOf(pods)).toEqual(['web-n1']);
  await write('db.json', podText('db'));
  await vi.waitFor(() => expect(namesOf(pods)).toEqual(['db-n1', 'web-n1']), WAITING);
  await rm(web);
  await vi.waitFor(() => expect(namesOf(pods)).toEqual(['db-n1']), WAITING);
});

test('a folder that is missing has no static pods until it is there', async () => {
  const { follow, folder, write } = await place();
  await rm(folder, { recursive: true });
  const { pods } = follow();
  await vi.waitFor(() => expect(pods.isComplete).toBe(true), WAITING);
  await mkdir(folder, { mode: 0o755 });
  await write('web.yaml', podText('web'));
  await vi.waitFor(() => expect(namesOf(pods)).toEqual(['web-n1']), WAITING);
});

test('a file that has just changed is read when it has settled', async () => {
  const { follow, write } = await place();
  await write('web.yaml', podText('web'), new Date());
  const { pods } = follow();
  await vi.waitFor(() => expect(namesOf(pods)).toEqual(['web-n1']), WAITING);
});

test('a broken file is reported once, and keeps its pod after a restart as well', async () => {
  const { follow, lines, write } = await place();
  await write('web.yaml', podText('web'));
  const first = follow();
  await vi.waitFor(() => expect(namesOf(first.pods)).toEqual(['web-n1']), WAITING);
  const [before] = first.pods.pods;
  const file = await write('web.yaml', 'kind: Pod\nkind: Pod\n');
  await vi.waitFor(() => expect(lines.join('')).toContain('"line":2'), WAITING);
  await first.stop();
  lines.length = 0;
  const second = follow();
  await write('db.yaml', podText('db'));
  await vi.waitFor(() => expect(namesOf(second.pods)).toEqual(['db-n1', 'web-n1']), WAITING);
  expect(second.pods.pods[1]).toEqual(before);
  const reported = lines.filter((line) => line.includes('Cannot use a file of static pods'));
  expect(reported.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ file, line: 2, reason: 'it has a key that is already there above' }),
  ]);
});

test.skipIf(!asRoot)('a file or folder that others can write to defines nothing new', async () => {
  const { follow, folder, lines, write } = await place();
  await write('web.yaml', podText('web'));
  const open = await write('open.yaml', podText('open'));
  await chmod(open, 0o666);
  const { pods } = follow();
  await vi.waitFor(() => expect(namesOf(pods)).toEqual(['web-n1']), WAITING);
  expect(lines.join('')).toContain(`others can write to \\"${open}\\"`);
  await chmod(folder, 0o777);
  await rm(join(folder, 'web.yaml'));
  await vi.waitFor(() => expect(lines.join('')).toContain(`others can write to \\"${folder}\\"`), WAITING);
  expect(namesOf(pods)).toEqual(['web-n1']);
});
