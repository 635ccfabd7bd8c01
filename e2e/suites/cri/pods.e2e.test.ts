import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { GRPC_STATUS } from '@fenestra/cri';
import { ContainerState, PodSandboxState } from '@fenestra/cri/messages';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { POD_NETWORK } from '../../support/beds/pod-configuration.ts';
import { type ConnectedBed, exited, RELEASES, startConnected, type TestPod } from './pod-life.ts';

const { signal } = new AbortController();
const INTERRUPTED_STARTS = 40;

describe.each(RELEASES)('containerd (%s)', (release) => {
  let bed: ConnectedBed;
  let pod: TestPod;
  beforeAll(async () => {
    bed = await startConnected(release, signal);
    pod = await bed.pod('shared');
  });
  afterAll(async () => bed.stop());

  test('the runtime says who it is, that it is ready, and with which driver it makes control groups', async () => {
    const { runtime } = bed;
    const { version } = await runtime.version(signal);
    expect(await runtime.version(signal)).toEqual({ name: 'containerd', version, speaks: 'v1' });
    expect(version).toMatch(release === 'sid' ? /^2\.\d/ : /^1\.\d/);
    const { conditions, handlers } = await runtime.status(signal);
    const ready = conditions.filter(({ status }) => status).map(({ type }) => type);
    expect(ready).toEqual(expect.arrayContaining(['RuntimeReady', 'NetworkReady']));
    expect(handlers.some(({ name }) => name === 'runc')).toBe(release === 'sid');
    expect(await runtime.cgroupDriver(signal)).toBe(release === 'sid' ? 'cgroupfs' : undefined);
  });

  test('a sandbox has an address, labels and annotations, and is listed by them until it is removed', async () => {
    const { runtime } = bed;
    const labels = { app: 'web' };
    const made = await bed.pod('listed', { labels, annotations: { note: 'ü' } });
    const { sandbox } = made;
    const status = await runtime.sandboxStatus(sandbox, signal);
    expect(status).toMatchObject({
      id: sandbox,
      state: PodSandboxState.SANDBOX_READY,
      labels,
      annotations: { note: 'ü' },
    });
    expect(status?.network?.ip).toContain(POD_NETWORK);
    expect(Number(status?.createdAt) / 1e6).toBeCloseTo(Date.now(), -5);
    const found = await runtime.listSandboxes({ labelSelector: labels }, signal);
    expect(found.map(({ id }) => id)).toEqual([sandbox]);
    expect(await runtime.listSandboxes({ labelSelector: { app: 'other' } }, signal)).toEqual([]);
    await runtime.stopSandbox(sandbox, signal);
    expect((await runtime.sandboxStatus(sandbox, signal))?.state).toBe(PodSandboxState.SANDBOX_NOTREADY);
    await made.remove();
    await made.remove();
    expect(await runtime.sandboxStatus(sandbox, signal)).toBeUndefined();
  });

  test('a container is created, runs, is stopped within its grace, and is removed', async () => {
    const { runtime } = bed;
    const id = await pod.create('stopped', 'trap "exit 3" TERM; sleep 1000 & wait');
    expect(await runtime.containerStatus(id, signal)).toMatchObject({ state: ContainerState.CONTAINER_CREATED });
    await runtime.startContainer(id, signal);
    const [container] = await runtime.listContainers({ podSandboxId: pod.sandbox }, signal);
    expect(container).toMatchObject({ id, state: ContainerState.CONTAINER_RUNNING, metadata: { name: 'stopped' } });
    await runtime.stopContainer(id, 20, signal);
    expect(await runtime.containerStatus(id, signal)).toMatchObject({
      state: ContainerState.CONTAINER_EXITED,
      exitCode: 3,
    });
    await runtime.removeContainer(id, signal);
    await runtime.removeContainer(id, signal);
    await runtime.stopContainer(id, 1, signal);
    expect(await runtime.containerStatus(id, signal)).toBeUndefined();
  });

  test('a container whose start is interrupted at any moment can be removed, and so can its pod', async () => {
    const { runtime } = bed;
    const interrupted = await bed.pod('interrupted');
    for (let attempt = 0; attempt < INTERRUPTED_STARTS; attempt += 1) {
      const id = await interrupted.create(`start-${attempt}`, 'sleep 1000');
      // A start takes some 30 ms on an idle machine.
      const soon = AbortSignal.timeout(attempt * 3);
      await runtime.startContainer(id, soon).catch((error: unknown) => {
        if (!soon.aborted) throw error;
      });
      // Every second one is left to the removal of the pod. For a moment the runtime is still starting it.
      if (attempt % 2 === 0) await vi.waitFor(async () => runtime.removeContainer(id, signal), { timeout: 30_000 });
    }
    await runtime.stopSandbox(interrupted.sandbox, signal);
    await vi.waitFor(async () => runtime.removeSandbox(interrupted.sandbox, signal), { timeout: 30_000 });
    expect(await runtime.listContainers({ podSandboxId: interrupted.sandbox }, signal)).toEqual([]);
  });

  test.each([
    ['ends well', 'exit 0', { exitCode: 0, reason: 'Completed' }],
    ['fails', 'exit 7', { exitCode: 7, reason: 'Error' }],
  ])('a container that %s leaves its exit code', async (name, script, end) => {
    const id = await pod.run(name.replaceAll(' ', '-'), script);
    expect(await exited(bed.runtime, id, signal)).toMatchObject(end);
  });

  test('a container that ignores the request to end is killed when its grace is over', async () => {
    const id = await pod.run('stubborn', 'trap "" TERM; while :; do sleep 1; done');
    const begun = performance.now();
    await bed.runtime.stopContainer(id, 1, signal);
    expect(performance.now() - begun).toBeGreaterThan(900);
    expect(await bed.runtime.containerStatus(id, signal)).toMatchObject({ exitCode: 137 });
  });

  test('a command that does not exist fails the start, and the container says why', async () => {
    const id = await pod.create('absent', '', { command: ['/no/such/program'] });
    await expect(bed.runtime.startContainer(id, signal)).rejects.toMatchObject({
      name: 'GrpcFailure',
      status: GRPC_STATUS.UNKNOWN,
      message: expect.stringContaining('/no/such/program'),
    });
    expect(await bed.runtime.containerStatus(id, signal)).toMatchObject({
      state: ContainerState.CONTAINER_EXITED,
      exitCode: 128,
      reason: 'StartError',
    });
  });

  test('commands run inside a container, with both outputs and the exit code', async () => {
    const { runtime } = bed;
    const id = await pod.run('exec', 'sleep 1000');
    const { stdout, stderr, exitCode } = await runtime.execSync(
      id,
      ['sh', '-c', 'echo a; echo b >&2; exit 5'],
      10,
      signal,
    );
    expect([Buffer.from(stdout).toString(), Buffer.from(stderr).toString(), exitCode]).toEqual(['a\n', 'b\n', 5]);
    await expect(runtime.execSync(id, ['sleep', '30'], 1, signal)).rejects.toMatchObject({
      status: GRPC_STATUS.DEADLINE_EXCEEDED,
    });
    await expect(runtime.execSync(id, ['/no/such/program'], 10, signal)).rejects.toMatchObject({
      status: GRPC_STATUS.UNKNOWN,
    });
  });

  test('the log has a line for each line of both outputs, and goes on in a new file after a rename', async () => {
    const script = 'mkfifo /tmp/go; echo first; echo second >&2; read -r _ < /tmp/go; echo third; sleep 1000';
    const id = await pod.run('log', script);
    const log = join(bed.folder, 'logs/shared/log/0.log');
    // The runtime reads both outputs at the same time, so either line may come first.
    await expect.poll(async () => (await linesIn(log)).toSorted()).toEqual(['stderr F second', 'stdout F first']);
    await rename(log, `${log}.old`);
    await bed.runtime.reopenLog(id, signal);
    await bed.runtime.execSync(id, ['sh', '-c', 'echo go > /tmp/go'], 10, signal);
    await expect.poll(async () => linesIn(log)).toEqual(['stdout F third']);
  });

  test('variables arrive as they are', async () => {
    const value = 'ü $(A) "\n';
    const id = await pod.run('environment', 'sleep 1000', { envs: [{ key: 'ODD', value }] });
    const { stdout } = await bed.runtime.execSync(id, ['sh', '-c', 'printf %s "$ODD"'], 10, signal);
    expect(Buffer.from(stdout).toString()).toBe(value);
  });

  test('limits arrive in the control group of the container, which the bed shows', async () => {
    const id = await pod.run('limited', 'sleep 1000', {
      linux: { resources: { memoryLimitInBytes: 64n * 1024n * 1024n } },
    });
    const [one, two] = [`memory/kubepods/shared/${id}/memory.limit_in_bytes`, `kubepods/shared/${id}/memory.max`];
    const { stdout } = await bed.cage.run(['sh', '-c', `cd /sys/fs/cgroup; cat ${one} || cat ${two}`], {}, signal);
    expect(stdout).toBe('67108864\n');
  });

  test('the runtime reports what containers and sandboxes use', async () => {
    const id = await pod.run('used', 'sleep 1000');
    const [usage] = await bed.runtime.containerStats({ id }, signal);
    expect(usage?.cpu?.usageCoreNanoSeconds?.value).toBeGreaterThan(0n);
    expect(usage?.memory?.workingSetBytes?.value).toBeGreaterThan(0n);
    const [sandbox] = await bed.runtime.sandboxStats({ id: pod.sandbox }, signal);
    expect(sandbox?.linux?.network?.defaultInterface?.name).toBe('eth0');
  });

  test('what is not there is undefined to a question, and NOT_FOUND to an order that needs it', async () => {
    const { runtime } = bed;
    expect(await runtime.containerStatus('no-such-id', signal)).toBeUndefined();
    expect(await runtime.sandboxStatus('no-such-id', signal)).toBeUndefined();
    await runtime.stopSandbox('no-such-id', signal);
    await runtime.removeSandbox('no-such-id', signal);
    const missing = { status: GRPC_STATUS.NOT_FOUND };
    await expect(runtime.startContainer('no-such-id', signal)).rejects.toMatchObject(missing);
    await expect(runtime.execSync('no-such-id', ['true'], 1, signal)).rejects.toMatchObject(missing);
  });
});

/** The lines of a log without their times. */
async function linesIn(file: string): Promise<readonly string[]> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [time = '', ...rest] = line.split(' ');
    return Number.isNaN(Date.parse(time)) ? line : rest.join(' ');
  });
}
