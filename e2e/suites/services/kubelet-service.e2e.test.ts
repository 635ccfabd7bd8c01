import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { bundleRunner } from '../../support/beds/contract-bundle.ts';
import { type KeadmMachine, MACHINES } from '../../support/machines/keadm-machine.ts';
import { type KubeletMachine, kubeletMachine } from './kubelet/kubelet-machine.ts';
import { CRASH_EXIT_CODE, CRASH_FILE } from './kubelet/stand-in.ts';

const PATIENCE = { timeout: 60_000, interval: 250 };
const scratch = await mkdtemp(join(tmpdir(), 'fenestra-kubelet-'));
const runner = await bundleRunner(scratch);

afterAll(async () => rm(scratch, { recursive: true, force: true }));

describe.each(MACHINES)('the kubelet as a service on $title', ({ start }) => {
  let machine: KeadmMachine;
  let kubelet: KubeletMachine;

  beforeAll(async () => {
    machine = await start(new AbortController().signal);
    kubelet = await kubeletMachine(machine, scratch, runner);
  });
  afterAll(async () => machine.node.stop());

  /** What the kubelet was last started with. */
  async function lastArguments(): Promise<readonly string[]> {
    const started = (await kubelet.notes()).filter((line) => line.startsWith('started ')).at(-1) ?? '';
    return z.array(z.string()).parse(JSON.parse(started.slice(started.indexOf('['))));
  }

  /** How often the kubelet was started. */
  async function starts(): Promise<number> {
    return (await kubelet.notes()).filter((line) => line.startsWith('started ')).length;
  }

  /** What the service has said, wherever that is kept here. */
  async function said(lines: readonly string[]): Promise<string> {
    return `${lines.join('\n')}\n${await kubelet.textOf(kubelet.layout.logFile)}`;
  }

  test('a machine that has joined no cluster has nothing to run, which is not a failure', async () => {
    expect(await kubelet.manage('install')).not.toHaveProperty('error');
    await kubelet.manage('start');
    await vi.waitFor(async () => expect((await kubelet.manage('look')).status.state).toBe('stopped'), PATIENCE);
    expect(await kubelet.notes()).toEqual([]);
  });

  test('a flags file that is not understood is refused, and that is said', async () => {
    await kubelet.write(kubelet.layout.kubeletConfig, 'kind: KubeletConfiguration\n');
    await kubelet.writeFlags('KUBELET_KUBEADM_ARGS="--node-labels=a=b\n');
    expect(await kubelet.manage('start')).toHaveProperty('error', expect.stringContaining('OperatorError'));
    await vi.waitFor(async () => {
      const { status, lines } = await kubelet.manage('look');
      expect(status.state).toBe('failed');
      expect(await said(lines)).toMatch(/Cannot read the kubelet's arguments.*kubeadm-flags\.env[^]*Hint: /);
    }, PATIENCE);
    expect(await kubelet.notes()).toEqual([]);
    await kubelet.manage('stop');
  });

  test('it starts with the arguments of the flags file', async () => {
    await kubelet.writeFlags('KUBELET_KUBEADM_ARGS="--node-labels=a=b --hostname-override=first"\n');
    expect(await kubelet.manage('start')).toMatchObject({ status: { state: 'running' } });
    await vi.waitFor(async () => expect(await starts()).toBe(1), PATIENCE);
    const args = await lastArguments();
    expect(args).toEqual(expect.arrayContaining(['--node-labels=a=b', '--hostname-override=first']));
    expect(args).toContain(`--config=${kubelet.layout.kubeletConfig}`);
    await vi.waitFor(
      async () => expect(await said((await kubelet.manage('look')).lines)).toContain('the stand-in runs'),
      PATIENCE,
    );
  });

  test('a stop lets it end in order', async () => {
    const { status } = await kubelet.manage('stop');
    expect(status).toMatchObject({ state: 'stopped' });
    // Wine lets no one on the console of a service hear what is said there: it is ended after its time is up.
    if (machine.target !== 'windows-x64') expect((await kubelet.notes()).at(-1)).toBe('asked to end');
  });

  test('a flags file that someone has changed holds from the next start on', async () => {
    await kubelet.writeFlags('KUBELET_KUBEADM_ARGS="--node-labels=c=d --register-with-taints=x=y:NoSchedule"\n');
    expect(await kubelet.manage('start')).toMatchObject({ status: { state: 'running' } });
    await vi.waitFor(async () => expect(await starts()).toBe(2), PATIENCE);
    const args = await lastArguments();
    expect(args).toEqual(expect.arrayContaining(['--node-labels=c=d', '--register-with-taints=x=y:NoSchedule']));
    expect(args.join(' ')).not.toMatch(/a=b|hostname-override/);
  });

  test('a crash is a failure of the service, which is brought back where the system does that', async () => {
    await kubelet.write(`${kubelet.layout.kubelet}${CRASH_FILE}`, '');
    if (machine.target === 'windows-x64') return expectFailure();
    await vi.waitFor(async () => expect(await starts()).toBe(3), PATIENCE);
    expect((await kubelet.manage('look')).status.state).toBe('running');
  });

  /** Wine stores no recovery policy. What Windows acts upon is a service that has ended with an error. */
  async function expectFailure(): Promise<void> {
    await vi.waitFor(async () => {
      const { state, exitCode } = (await kubelet.manage('look')).status;
      expect({ state, exitCode }).toEqual({ state: 'failed', exitCode: CRASH_EXIT_CODE });
    }, PATIENCE);
  }

  test('it can be removed', async () => {
    expect((await kubelet.manage('remove')).status.state).toBe('absent');
  });
});
