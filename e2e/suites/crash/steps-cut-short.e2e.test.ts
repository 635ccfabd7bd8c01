import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { handlerOf, type Step } from '@fenestra/kernel';
import { type FileStore, digestOf } from '@fenestra/platform';
import { linuxHost, posixAccessControl, posixFileStore, supervisedServices } from '@fenestra/platform-linux';
import { digestOfText, STEP_HANDLERS } from '@fenestra/steps';
import type { StepPorts } from '@fenestra/session';
import { expect, test } from 'vitest';
import { failingStore } from '../../support/crash/failing-store.ts';
import { pictureOf, type Tree } from '../../support/crash/tree.ts';

const { signal } = new AbortController();
const MOST_OPERATIONS = 20;
const SECRET = 'secret text';

function portsOn(folder: string, files: FileStore): StepPorts {
  const services = supervisedServices({ stateFolder: join(folder, 'supervisor'), supervisorCommand: [] });
  return { host: linuxHost(), secrets: new Map([['text', SECRET]]), files, access: posixAccessControl(), services };
}

async function layOut(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'bin'), { recursive: true });
  await writeFile(join(folder, 'there'), 'old text');
  await chmod(join(folder, 'there'), 0o640);
  await writeFile(join(folder, 'there-wal'), 'old log', { mode: 0o600 });
  await writeFile(join(folder, 'there-shm'), 'old index', { mode: 0o600 });
  await writeFile(join(folder, 'gone-wal'), 'log of nothing', { mode: 0o600 });
  await writeFile(join(folder, 'bin/there'), 'old program', { mode: 0o755 });
  await writeFile(join(folder, 'new-program'), 'new program', { mode: 0o755 });
}

const STEPS: readonly [string, (folder: string) => Promise<Step>][] = [
  [
    'claim-node',
    async (folder) => ({
      kind: 'claim-node',
      nodeName: 'n',
      cloud: 'c',
      folders: [join(folder, 'etc/kubeedge'), join(folder, 'etc/kubeedge/config')],
      traces: [join(folder, 'var/lib/x.db'), join(folder, 'there')],
    }),
  ],
  [
    'claim-folders',
    async (folder) => ({ kind: 'claim-folders', folders: [join(folder, 'bin'), join(folder, 'var/lib/kubelet')] }),
  ],
  ['create-folder', async (folder) => ({ kind: 'create-folder', path: join(folder, 'a/b/c') })],
  ['write-file, new', async (folder) => ({ kind: 'write-file', path: join(folder, 'new'), content: 'text' })],
  [
    'write-file, over another',
    async (folder) => ({ kind: 'write-file', path: join(folder, 'there'), content: 'text' }),
  ],
  ['place-executable, new', async (folder) => place(folder, 'bin/new')],
  ['place-executable, over another', async (folder) => place(folder, 'bin/there')],
  ['write-secret, over another', async (folder) => secret(join(folder, 'there'))],
  ['write-secret, private, new', async (folder) => ({ ...secret(join(folder, 'new')), ownRights: true })],
  ['write-secret, private, over another', async (folder) => ({ ...secret(join(folder, 'there')), ownRights: true })],
  ['write-backup', async (folder) => writeBackup(folder, await nodeFiles(folder))],
  ['unpack-backup', unpackBackup],
  ['place-file, new', async (folder) => placeFile(folder, 'new', [])],
  ['place-file, over another', async (folder) => placeFile(folder, 'there', [])],
  ['place-file, over one with companions', async (folder) => placeFile(folder, 'there', ['-wal', '-shm', '-journal'])],
  ['place-file, where only companions are', async (folder) => placeFile(folder, 'gone', ['-wal'])],
];

/** A node's files outside the folder that is laid out again, and so the same in every round. */
async function nodeFiles(folder: string): Promise<string> {
  const node = `${folder}-node`;
  await mkdir(node);
  await writeFile(join(node, 'edgecore'), 'program', { mode: 0o755 });
  await writeFile(join(node, 'edgecore.yaml'), 'modules:\n  edged:\n    hostnameOverride: edge-1\n');
  using database = new DatabaseSync(join(node, 'edgecore.db'));
  database.exec('CREATE TABLE meta (key TEXT); INSERT INTO meta VALUES (1)');
  return node;
}

function writeBackup(folder: string, node: string): Step {
  const roles = { executable: 'edgecore', configuration: 'edgecore.yaml', database: 'edgecore.db' };
  return {
    kind: 'write-backup',
    to: join(folder, 'archive.tar.gz'),
    encrypted: false,
    subject: {
      schema: 1,
      nodeName: 'edge-1',
      version: 'v0.1.0',
      agent: 'fenestra',
      os: 'linux',
      arch: 'x64',
      created: '2026-01-02T03:04:05.678Z',
      folders: { config: '/etc/kubeedge', state: '/var/lib/kubeedge' },
      service: null,
    },
    sources: Object.entries(roles).map(([role, path]) => ({ role, path, from: join(node, path) })),
    scratch: join(folder, 'scratch'),
  };
}

async function unpackBackup(folder: string): Promise<Step> {
  const node = await nodeFiles(folder);
  const write = writeBackup(node, node);
  const context = { ports: portsOn(folder, posixFileStore()), progress: () => {}, say: () => {} };
  await handlerOf(STEP_HANDLERS, write).apply(write, null, context, signal);
  const archive = join(node, 'archive.tar.gz');
  return { kind: 'unpack-backup', archive, sha256: await digestOf(archive), to: join(folder, 'unpacked'), moves: [] };
}

async function placeFile(folder: string, to: string, companions: readonly string[]): Promise<Step> {
  const step = await place(folder, to);
  return { ...step, kind: 'place-file', mode: 0o600, keep: join(folder, 'bin/kept'), companions };
}

async function place(folder: string, to: string): Promise<Step> {
  const from = join(folder, 'new-program');
  return { kind: 'place-executable', from, to: join(folder, to), sha256: await digestOf(from) };
}

function secret(path: string): Step {
  return { kind: 'write-secret', path, secret: 'text', sha256: digestOfText(SECRET) };
}

interface Course {
  readonly before: Tree;
  readonly after: Tree;
  /** Applies the step with a power cut; false if the step needs fewer operations than that. */
  cutAt(at: number, moment: 'before' | 'after'): Promise<boolean>;
  finish(direction: 'apply' | 'revert'): Promise<Tree>;
}

async function courseOf(folder: string, makeStep: (folder: string) => Promise<Step>): Promise<Course> {
  await layOut(folder);
  const step = await makeStep(folder);
  const handler = handlerOf(STEP_HANDLERS, step);
  const contextWith = (files: FileStore) => ({ ports: portsOn(folder, files), progress: () => {}, say: () => {} });
  const whole = contextWith(posixFileStore());
  const found = await handler.prepare(step, whole, signal);
  const before = await pictureOf(folder);
  await handler.apply(step, found, whole, signal);
  const after = await pictureOf(folder);
  return {
    before,
    after,
    async cutAt(at, moment) {
      await layOut(folder);
      const context = contextWith(failingStore(posixFileStore(), at, moment));
      return handler.apply(step, found, context, signal).then(
        () => false,
        () => true,
      );
    },
    async finish(direction) {
      await handler[direction](step, found, whole, signal);
      return pictureOf(folder);
    },
  };
}

test.each(STEPS)('%s, cut short anywhere, can be undone and can be done again', async (_name, makeStep) => {
  const folder = await mkdtemp(join(tmpdir(), 'step-'));
  const course = await courseOf(folder, makeStep);
  let cuts = 0;
  for (const moment of ['before', 'after'] as const) {
    for (let at = 1; at <= MOST_OPERATIONS && (await course.cutAt(at, moment)); at += 1) {
      cuts += 1;
      expect(await course.finish('revert')).toEqual(course.before);
      await course.cutAt(at, moment);
      expect(await course.finish('apply')).toEqual(course.after);
    }
  }
  expect(cuts).toBeGreaterThan(1);
  expect(await course.finish('revert')).toEqual(course.before);
  expect(await course.finish('revert')).toEqual(course.before);
  for (const made of [folder, `${folder}-node`]) await rm(made, { recursive: true, force: true });
});
