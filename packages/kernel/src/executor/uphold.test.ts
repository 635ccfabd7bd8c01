import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { journalFolder } from '../journal/journal-folder.ts';
import { stepDefiner } from '../plan/step-handler.ts';
import { executePlan, recover } from './recover.ts';

interface Machine {
  running: boolean;
  file: string;
}

const { handler: stop } = stepDefiner<Machine>()({
  kind: 'stop',
  data: z.object({}),
  describe: () => 'Stop',
  apply: async (_step, _before, { ports }) => void (ports.running = false),
  uphold: async (_step, { ports }) => void (ports.running = false),
  revert: async (_step, _before, { ports }) => void (ports.running = true),
});

const { handler: write } = stepDefiner<Machine>()({
  kind: 'write',
  data: z.object({}),
  describe: () => 'Write',
  apply: async (_step, _before, { ports }) => void (ports.file = 'new'),
  async revert(_step, _before, { ports }) {
    if (ports.running) throw new Error('The file is in use');
    ports.file = 'old';
  },
});

const { handler: powerCut } = stepDefiner<Machine>()({
  kind: 'power-cut',
  data: z.object({}),
  describe: () => 'Lose power',
  prepare: async () => Promise.withResolvers<null>().promise,
  apply: async () => {},
  revert: async () => {},
});

test('a service that a boot has started in the meantime is stopped before anything is put back under it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'journal-'));
  const journals = journalFolder(folder, { syncFolder: async () => {} }, () => new Date());
  const machine: Machine = { running: true, file: 'old' };
  const owner = { pid: 1, startedAt: '', bootId: '' };
  const steps = [{ kind: 'stop' }, { kind: 'write' }, { kind: 'power-cut' }];
  const common = { handlers: [stop, write, powerCut], ports: machine };
  const written = Promise.withResolvers<void>();
  const journal = await journals.create('upgrade');
  void executePlan(
    { command: 'upgrade', programVersion: '1', owner, plan: [{ id: 'p', title: 'P', steps }] },
    {
      ...common,
      journal,
      onEvent: (event) => {
        if (event.type === 'step-done' && event.index === 1) written.resolve();
      },
    },
    new AbortController().signal,
  );
  await written.promise;
  machine.running = true;
  const recovered = await recover({
    ...common,
    journals,
    recoverer: { programVersion: '1', owner },
    onEvent: () => {},
  });
  expect(recovered).toMatchObject([{ outcome: 'reverted' }]);
  expect(machine).toEqual({ running: true, file: 'old' });
  await journal.close();
  await rm(folder, { recursive: true });
});
