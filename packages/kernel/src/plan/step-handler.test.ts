import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { stepDefiner, type StepContext } from './step-handler.ts';

const defineStep = stepDefiner<string[]>();
const never = new AbortController().signal;

const write = defineStep({
  kind: 'write',
  data: z.object({ path: z.string() }),
  before: z.object({ old: z.string() }),
  describe: ({ path }) => `Write ${path}`,
  prepare: async () => ({ old: 'text' }),
  apply: async ({ path }, { old }, { ports }) => void ports.push(`${old} of ${path}`),
  revert: async () => {},
});

const remove = defineStep({
  kind: 'remove',
  pointOfNoReturn: true,
  data: z.object({ path: z.string() }),
  describe: ({ path }) => `Delete ${path}`,
  apply: async ({ path }, before, { ports }) => void ports.push(`${before} ${path}`),
});

function contextOf(ports: string[]): StepContext<string[]> {
  return { ports, progress: () => {}, say: () => {} };
}

test('a kind of step makes plain data that holds its kind and nothing that its schema does not know', () => {
  const file = { path: '/a', content: 'secret' };
  expect(write(file)).toEqual({ kind: 'write', path: '/a' });
});

test('every step of a kind that cannot be reverted is a point of no return', async () => {
  expect(remove({ path: '/a' })).toEqual({ kind: 'remove', path: '/a', pointOfNoReturn: true });
  await expect(remove.handler.revert(remove({ path: '/a' }), null, contextOf([]), never)).rejects.toThrow('remove');
});

test('a handler checks steps and findings of an old journal before it uses them', async () => {
  const ports: string[] = [];
  await write.handler.apply({ kind: 'write', path: '/a' }, { old: 'text' }, contextOf(ports), never);
  await expect(write.handler.apply({ kind: 'write' }, { old: 'text' }, contextOf(ports), never)).rejects.toThrow();
  await expect(write.handler.apply({ kind: 'write', path: '/b' }, null, contextOf(ports), never)).rejects.toThrow();
  expect(ports).toEqual(['text of /a']);
});

test('a kind without anything to prepare finds nothing', async () => {
  const ports: string[] = [];
  expect(await remove.handler.prepare(remove({ path: '/a' }), contextOf(ports), never)).toBeNull();
  await remove.handler.apply(remove({ path: '/a' }), null, contextOf(ports), never);
  expect(ports).toEqual(['null /a']);
});
