import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { type KeadmMachine, MACHINES } from '../../support/machines/keadm-machine.ts';

const Status = z.object({
  state: z.string(),
  pid: z.int().optional(),
  agent: z.object({ pid: z.int(), reloads: z.int() }).optional(),
});
const Doctor = z.object({ ready: z.boolean(), checks: z.array(z.object({ name: z.string(), verdict: z.string() })) });
const PATIENCE = { timeout: 30_000, interval: 250 };

describe.each(MACHINES)('our executable on $title', ({ start }) => {
  let machine: KeadmMachine;

  beforeAll(async () => {
    machine = await start(new AbortController().signal);
  });
  afterAll(async () => machine.node.stop());

  async function keadm(...args: readonly string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await machine.keadm(args);
    expect({ args, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ args, exitCode: 0, stderr: '' });
    return stdout;
  }

  async function status(): Promise<z.infer<typeof Status>> {
    const { stdout } = await machine.keadm(['service', 'status', '--output', 'json']);
    return Status.parse(JSON.parse(stdout));
  }

  test('doctor judges the machine, and its exit code agrees with its verdict', async () => {
    const { exitCode, stdout } = await machine.keadm(['doctor', '--output', 'json']);
    const { ready, checks } = Doctor.parse(JSON.parse(stdout));
    expect(exitCode).toBe(ready ? 0 : 4);
    const verdicts = Object.fromEntries(checks.map(({ name, verdict }) => [name, verdict]));
    expect(verdicts).toMatchObject({
      elevated: 'pass',
      'os-version': 'pass',
      journal: 'pass',
      'container-runtime': 'fail',
    });
  });

  test('without the rights, install says which are missing and touches nothing', async () => {
    const { exitCode, stderr } = await machine.keadmWithoutRights(['service', 'install']);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/Error: .*\nHint: .*(administrator|sudo)/i);
    const { configFolder, bookkeeping } = machine.paths;
    expect([configFolder, bookkeeping].filter((path) => existsSync(machine.node.hostPath(path)))).toEqual([]);
  });

  test('a dry run shows the plan and touches nothing', async () => {
    expect(await keadm('service', 'install', '--dry-run')).toContain('Register the service "edgecore"');
    expect(existsSync(machine.node.hostPath(machine.paths.configFolder))).toBe(false);
  });

  test('install makes the executable a service that runs', async () => {
    await keadm('service', 'install');
    const { state, pid, agent } = await status();
    expect(state).toBe('running');
    expect(agent?.pid).toBe(pid);
    expect(existsSync(machine.node.hostPath(machine.paths.agent))).toBe(true);
  });

  test('a second install has nothing to do', async () => {
    expect(await keadm('service', 'install')).toContain('Nothing to do');
  });

  test('reload reaches the running service', async () => {
    await keadm('service', 'reload');
    await vi.waitFor(async () => expect((await status()).agent?.reloads).toBe(1), PATIENCE);
  });

  test('stop stops it, start starts it, restart gives it a new process', async () => {
    await keadm('service', 'stop');
    expect((await status()).state).toBe('stopped');
    await keadm('service', 'start');
    const { pid } = await status();
    await keadm('service', 'restart');
    expect((await status()).pid).not.toBe(pid);
  });

  test('after a reboot it is back, where the system starts services at all', async () => {
    await machine.node.reboot();
    if (!machine.startsServicesAtBoot) await keadm('service', 'start');
    await vi.waitFor(async () => expect((await status()).state).toBe('running'), PATIENCE);
  });

  test('remove takes service and program away, and a second remove has nothing to do', async () => {
    await keadm('service', 'remove');
    expect((await status()).state).toBe('absent');
    expect(existsSync(machine.node.hostPath(machine.paths.agent))).toBe(false);
    expect(await keadm('service', 'remove')).toContain('Nothing to do');
  });

  test('the journal can be read by a person', async () => {
    expect(await keadm('journal', 'show')).toMatch(/"keadm service remove" started[^]*ended, applied/);
  });
});
