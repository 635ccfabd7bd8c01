import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProgramBehaviour } from '@fenestra/platform/contract';
import { afterAll, expect, test, vi } from 'vitest';
import { SERVICE_MAIN } from '../testing/programs.ts';
import { READINESS_VARIABLE, readReadiness } from './readiness.ts';

const folder = mkdtempSync(join(tmpdir(), 'fenestra-service-host-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(['SIGTERM', 'SIGINT'] as const)('%s stops the program in order', async (signal) => {
  const service = run(`stop-${signal}`, 'serve');
  await service.noted('started');
  service.child.kill(signal);
  expect(await service.exitCode()).toBe(0);
  await service.noted('stopped');
});

test('SIGHUP that comes while the program starts is not lost, and does not end it', async () => {
  const service = run('early-reload', 'slow-start');
  await service.announced('starting');
  service.child.kill('SIGHUP');
  await service.noted('reloaded');
  expect(await service.notes()).toBe('started\nreloaded\n');
  await service.announced('ready');
  service.child.kill('SIGTERM');
  expect(await service.exitCode()).toBe(0);
});

test('a start that fails ends with an error, and says why', async () => {
  const service = run('failing', 'fail-at-start');
  expect(await service.exitCode()).toBe(1);
  expect(service.output()).toContain('asked to fail at start');
});

test('a terminal shows what an error quotes, and does not obey it', async () => {
  const service = run('no-folder\u001b[31m/x', 'serve');
  expect(await service.exitCode()).toBe(1);
  expect(service.output()).toContain(String.raw`no-folder\u001b[31m`);
  expect(service.output()).not.toContain('\u001b');
});

test('an error that no one handles ends the process', async () => {
  const service = run('crashing', 'crash-on-reload');
  await service.noted('started');
  service.child.kill('SIGHUP');
  await service.exitCode();
  expect(service.child.signalCode).toBe('SIGKILL');
  expect(service.output()).toContain('asked to crash');
});

interface Service {
  readonly child: ChildProcess;
  notes(): Promise<string>;
  noted(line: string): Promise<void>;
  announced(readiness: string): Promise<void>;
  exitCode(): Promise<unknown>;
  output(): string;
}

function run(name: string, behaviour: ProgramBehaviour): Service {
  const [noteFile, readiness] = [join(folder, `${name}.notes`), join(folder, `${name}.readiness`)];
  const env = { ...process.env, [READINESS_VARIABLE]: readiness };
  const child = spawn(process.execPath, [SERVICE_MAIN, noteFile, behaviour], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const closed = once(child, 'close');
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const notes = (): Promise<string> => readFile(noteFile, 'utf8').catch(() => '');
  return {
    child,
    notes,
    noted: (line) => vi.waitFor(async () => expect(await notes()).toContain(`${line}\n`), { timeout: 4_000 }),
    announced: (word) =>
      vi.waitFor(async () => expect(await readReadiness(readiness, child.pid ?? 0)).toBe(word), { timeout: 4_000 }),
    exitCode: async () => (await closed)[0],
    output: () => errors,
  };
}
