import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RECOVERY_POLICY, type ServiceSpec } from '@fenestra/platform';
import { afterEach, expect, test, vi } from 'vitest';
import { isProcessAlive } from '../host/processes.ts';
import { PROGRAM_MAIN, SERVICE_MAIN, SUPERVISOR_MAIN } from '../testing/programs.ts';
import { serviceFolder } from './service-folder.ts';
import { startSupervisor } from './supervised-runs.ts';
import { supervisedServices } from './supervised-services.ts';
import { liveSupervisor } from './supervision-claim.ts';
import { supervisorProcesses } from './supervisor-processes.ts';
import { readRecord } from './supervisor-record.ts';

const stateFolder = mkdtempSync(join(tmpdir(), 'fenestra-supervisor-'));
const services = supervisedServices({ stateFolder, supervisorCommand: [process.execPath, SUPERVISOR_MAIN] });
const folder = join(stateFolder, 'services', 'edgecore');
const noteFile = join(stateFolder, 'notes');
const spec: ServiceSpec = {
  name: 'edgecore',
  displayName: 'Edge core',
  description: 'For tests',
  executable: process.execPath,
  args: [SERVICE_MAIN, noteFile, 'serve'],
  startType: 'manual',
  dependencies: [],
  recovery: RECOVERY_POLICY,
  writableFolders: [],
};

const PATIENCE = { timeout: 4_000, interval: 50 };

afterEach(async () => {
  await services.remove('edgecore', soon());
  rmSync(stateFolder, { recursive: true, force: true });
});

test('a program whose supervisor was killed still shows, and is ended before the next one starts', async () => {
  await services.install(spec);
  await services.start('edgecore', soon());
  const orphan = await killSupervisor();
  expect(await services.status('edgecore')).toMatchObject({ state: 'running', pid: orphan.pid });
  await services.start('edgecore', soon());
  expect(await isProcessAlive(orphan)).toBe(false);
  expect(await notes()).toEqual(['started', 'stopped', 'started']);
});

test('stop ends a program that no one wrote down before its supervisor was killed', async () => {
  await services.install(spec);
  await services.start('edgecore', soon());
  const orphan = await killSupervisor();
  rmSync(join(folder, 'status.json'));
  await services.stop('edgecore', soon());
  expect(await isProcessAlive(orphan)).toBe(false);
  expect((await services.status('edgecore')).state).toBe('stopped');
});

test('a record of processes that are gone is not believed', async () => {
  await services.install(spec);
  await services.start('edgecore', soon());
  const orphan = await killSupervisor();
  process.kill(orphan.pid, 'SIGKILL');
  await vi.waitFor(async () => expect(await isProcessAlive(orphan)).toBe(false));
  expect(await services.status('edgecore')).toEqual({ state: 'failed', startType: 'manual' });
  const record = JSON.stringify({
    ...(await readRecord(join(folder, 'status.json'))),
    program: { ...orphan, pid: process.pid },
  });
  writeFileSync(join(folder, 'status.json'), record);
  expect((await services.status('edgecore')).pid).toBeUndefined();
});

test('two starts at once give one program', async () => {
  await services.install(spec);
  await Promise.all([services.start('edgecore', soon()), services.start('edgecore', soon())]);
  expect(await notes()).toEqual(['started']);
});

test('of two starts at once, none comes late and brings back a stopped service', async () => {
  await services.install(spec);
  await Promise.all([services.start('edgecore', soon()), services.start('edgecore', soon())]);
  await services.stop('edgecore', soon());
  await sleep(300);
  expect(await services.status('edgecore')).toMatchObject({ state: 'stopped' });
  expect(await notes()).toEqual(['started', 'stopped']);
});

test('stop ends a supervisor that was started a moment ago and has not claimed the service yet', async () => {
  await services.install(spec);
  const waitForever = 'data:text/javascript,await new Promise(() => setInterval(() => {}, 1_000))';
  const command = [process.execPath, '--import', waitForever, SUPERVISOR_MAIN];
  const started = startSupervisor(command, serviceFolder(folder));
  await services.stop('edgecore', soon());
  await vi.waitFor(() => expect(started.hasEnded()).toBe(true), PATIENCE);
  expect(existsSync(noteFile)).toBe(false);
});

test('start waits for a supervisor that was started a moment ago instead of starting another', async () => {
  await services.install(spec);
  const started = startSupervisor([process.execPath, SUPERVISOR_MAIN], serviceFolder(folder));
  await services.start('edgecore', soon());
  expect((await liveSupervisor(serviceFolder(folder)))?.pid).toBe(started.pid);
  expect(await supervisorProcesses(serviceFolder(folder))).toHaveLength(1);
});

test('a program that is not ours is brought back although it ends well, and not where there is nothing to run', async () => {
  const foreign: ServiceSpec = {
    ...spec,
    rights: 'all',
    recovery: { restartDelaysSeconds: [0.1], resetAfterSeconds: 60 },
  };
  const script = `echo started >> "${noteFile}"; sleep 0.5`;
  await services.install({ ...foreign, args: [PROGRAM_MAIN, '/bin/sh', '-c', script] });
  await services.start('edgecore', soon());
  await vi.waitFor(async () => expect((await notes()).length).toBeGreaterThan(1), PATIENCE);
  await services.stop('edgecore', soon());
  await services.install({ ...foreign, args: [PROGRAM_MAIN] });
  await services.start('edgecore', soon()).catch(() => undefined);
  expect((await services.status('edgecore')).state).toBe('stopped');
});

test('services that need each other are refused instead of waited for', async () => {
  await services.install({ ...spec, dependencies: ['edgecore'] });
  await expect(services.start('edgecore', soon())).rejects.toMatchObject({ code: 'SERVICE_CONFLICT' });
});

test('a service whose spec was deleted while it ran can be stopped, and is absent then', async () => {
  await services.install(spec);
  await services.start('edgecore', soon());
  rmSync(join(folder, 'spec.json'));
  expect((await services.status('edgecore')).state).toBe('running');
  await services.stop('edgecore', soon());
  expect((await services.status('edgecore')).state).toBe('absent');
});

test('everything about a service is private, and nothing is left when it is removed', async () => {
  await services.install(spec);
  await services.start('edgecore', soon());
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const files = await readdir(folder);
  expect(files.filter((file) => (statSync(join(folder, file)).mode & 0o077) !== 0)).toEqual([]);
  await services.remove('edgecore', soon());
  expect(await readdir(join(stateFolder, 'services'))).toEqual([]);
});

test('a supervisor that cannot write its record still restarts the program, and writes the next record it can', async () => {
  await services.install({ ...spec, recovery: { restartDelaysSeconds: [0.1], resetAfterSeconds: 3600 } });
  await services.start('edgecore', soon());
  const obstacle = join(folder, 'status.json.tmp');
  const first = await runningPid();
  mkdirSync(obstacle);
  process.kill(first, 'SIGKILL');
  await vi.waitFor(async () => expect(await notes()).toEqual(['started', 'started']), PATIENCE);
  rmSync(obstacle, { recursive: true });
  const [, second] = (await readFile(join(folder, 'readiness'), 'utf8')).trim().split(' ');
  process.kill(Number(second), 'SIGKILL');
  await vi.waitFor(async () => expect([first, Number(second)]).not.toContain(await runningPid()), PATIENCE);
  expect(await readFile(join(folder, 'service.log'), 'utf8')).toContain(
    'cannot write down that the service is running',
  );
});

test('a supervisor that cannot read the spec again restarts the program as it knew it', async () => {
  await services.install({ ...spec, recovery: { restartDelaysSeconds: [0.1], resetAfterSeconds: 3600 } });
  await services.start('edgecore', soon());
  const first = await runningPid();
  rmSync(join(folder, 'spec.json'));
  mkdirSync(join(folder, 'spec.json'));
  process.kill(first, 'SIGKILL');
  await vi.waitFor(async () => expect(await notes()).toEqual(['started', 'started']), PATIENCE);
  rmSync(join(folder, 'spec.json'), { recursive: true });
});

test('a service forgotten while it waits for its restart is gone well before that, with its folder', async () => {
  await services.install(spec);
  await services.start('edgecore', soon());
  process.kill(await runningPid(), 'SIGKILL');
  await vi.waitFor(async () => expect((await services.status('edgecore')).state).toBe('failed'), PATIENCE);
  await services.forget('edgecore');
  await vi.waitFor(async () => expect(await readdir(join(stateFolder, 'services'))).toEqual([]), PATIENCE);
});

test('a service that is installed again before its forgotten program has ended is managed again', async () => {
  await services.install(spec);
  await services.start('edgecore', soon());
  await services.forget('edgecore');
  await services.install({ ...spec, recovery: { restartDelaysSeconds: [0.1], resetAfterSeconds: 3600 } });
  process.kill(await runningPid(), 'SIGKILL');
  await vi.waitFor(async () => expect((await services.status('edgecore')).state).toBe('failed'), PATIENCE);
});

async function runningPid(): Promise<number> {
  const { state, pid } = await services.status('edgecore');
  if (pid === undefined) throw new Error(`the service is ${state}`);
  return pid;
}

/** Ends the supervisor as a power cut would, and returns the program it leaves behind. */
async function killSupervisor(): Promise<{ pid: number; startedAt: string; bootId: string }> {
  const supervisor = await liveSupervisor(serviceFolder(folder));
  const program = (await readRecord(join(folder, 'status.json')))?.program;
  if (supervisor === undefined || program === undefined) throw new Error('the service does not run');
  process.kill(supervisor.pid, 'SIGKILL');
  await vi.waitFor(async () => expect(await isProcessAlive(supervisor)).toBe(false));
  return program;
}

async function notes(): Promise<readonly string[]> {
  return (await readFile(noteFile, 'utf8')).trim().split('\n');
}

function soon(): AbortSignal {
  return AbortSignal.timeout(10_000);
}
