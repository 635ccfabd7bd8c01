import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handlerOf, type Step } from '@fenestra/kernel';
import type { FileStore } from '@fenestra/platform';
import { posixAccessControl, posixFileStore, supervisedServices } from '@fenestra/platform-linux';
import { digestOf, STEP_HANDLERS, type StepPorts } from '@fenestra/steps';
import { expect, test } from 'vitest';
import { pictureOf, type Tree } from './tree.ts';

const { signal } = new AbortController();
const MOST_OPERATIONS = 20;

/** A file store whose power fails at its nth operation, before or after it took effect; everything later fails too. */
function failingStore(files: FileStore, at: number, moment: 'before' | 'after'): FileStore {
  let operations = 0;
  return new Proxy(files, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        operations += 1;
        if (operations > at || (operations === at && moment === 'before')) throw new Error('power cut');
        const result: unknown = await Reflect.apply(method, target, args);
        if (operations === at) throw new Error('power cut');
        return result;
      };
    },
  });
}

function portsOn(folder: string, files: FileStore): StepPorts {
  const services = supervisedServices({ stateFolder: join(folder, 'supervisor'), supervisorCommand: [] });
  return { files, access: posixAccessControl(), services };
}

async function layOut(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'bin'), { recursive: true });
  await writeFile(join(folder, 'there'), 'old text');
  await chmod(join(folder, 'there'), 0o640);
  await writeFile(join(folder, 'bin/there'), 'old program', { mode: 0o755 });
  await writeFile(join(folder, 'new-program'), 'new program', { mode: 0o755 });
}

const STEPS: readonly [string, (folder: string) => Promise<Step>][] = [
  ['create-folder', async (folder) => ({ kind: 'create-folder', path: join(folder, 'a/b/c') })],
  ['write-file, new', async (folder) => ({ kind: 'write-file', path: join(folder, 'new'), content: 'text' })],
  [
    'write-file, over another',
    async (folder) => ({ kind: 'write-file', path: join(folder, 'there'), content: 'text' }),
  ],
  ['place-executable, new', async (folder) => place(folder, 'bin/new')],
  ['place-executable, over another', async (folder) => place(folder, 'bin/there')],
];

async function place(folder: string, to: string): Promise<Step> {
  const from = join(folder, 'new-program');
  return { kind: 'place-executable', from, to: join(folder, to), sha256: await digestOf(from) };
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
  const contextWith = (files: FileStore) => ({ ports: portsOn(folder, files), progress: () => {} });
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
  await rm(folder, { recursive: true });
});
