import { diagnose, GRPC_STATUS } from '@fenestra/cri';
import { ContainerState } from '@fenestra/cri/messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConnectedBed, RELEASES, startConnected, type TestPod } from './pod-life.ts';

const { signal } = new AbortController();
const MEGABYTE = 1024 * 1024;

describe.each(RELEASES)('containerd (%s)', (release) => {
  let bed: ConnectedBed;
  let pod: TestPod;
  let container = '';
  beforeAll(async () => {
    bed = await startConnected(release, signal);
    pod = await bed.pod('faults');
    container = await pod.run('work', 'sleep 10000');
  });
  afterAll(async () => bed.stop());

  test('a frozen runtime runs into the time limit, and the same client goes on when it thaws', async () => {
    bed.freeze();
    const error: unknown = await bed.runtime.version(AbortSignal.timeout(500)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'TIMED_OUT' });
    expect(diagnose(error)).toMatchObject({ absent: false, problem: 'does not answer in time' });
    const waiting = bed.runtime.version(signal);
    bed.thaw();
    await expect(waiting).resolves.toMatchObject({ name: 'containerd' });
  });

  test('a call that is given up is ended in the runtime too', async () => {
    const controller = new AbortController();
    const command = bed.runtime.execSync(container, ['sleep', '4321'], 60, controller.signal);
    const running = async (): Promise<boolean> =>
      (await bed.cage.run(['pgrep', '-f', 'sleep 4321'], {}, signal)).exitCode === 0;
    await expect.poll(running).toBe(true);
    controller.abort();
    await expect(command).rejects.toMatchObject({ code: 'INTERRUPTED' });
    await expect.poll(running, { timeout: 20_000 }).toBe(false);
  });

  test('a request and an answer that are too large fail, and leave the connection as it is', async () => {
    const large = { annotations: { note: 'x'.repeat(17 * MEGABYTE) } };
    const refused = { name: 'GrpcFailure', status: GRPC_STATUS.RESOURCE_EXHAUSTED };
    await expect(bed.pod('large', large)).rejects.toMatchObject(refused);
    const { stdout } = await bed.runtime.execSync(
      container,
      ['head', '-c', String(15 * MEGABYTE), '/dev/zero'],
      60,
      signal,
    );
    expect(stdout).toHaveLength(15 * MEGABYTE);
    expect(await bed.runtime.containerStatus(container, signal)).toMatchObject({ id: container });
  });

  test('a killed runtime fails the call under way and those after it; started again, it is found by the next call', async () => {
    const { runtime } = bed;
    const command = runtime.execSync(container, ['sleep', '60'], 60, signal);
    const lost = expect(command).rejects.toMatchObject({ name: 'ConnectionLost' });
    await expect.poll(async () => (await bed.cage.run(['pgrep', '-f', 'sleep 60'], {}, signal)).exitCode).toBe(0);
    await bed.kill();
    await lost;
    const error: unknown = await runtime.version(signal).catch((thrown: unknown) => thrown);
    expect(diagnose(error)).toMatchObject({ absent: true, problem: expect.stringContaining('nothing listens') });
    await bed.start();
    expect(await runtime.version(signal)).toMatchObject({ name: 'containerd' });
    const status = await runtime.containerStatus(container, signal);
    expect(status).toMatchObject({ state: ContainerState.CONTAINER_RUNNING });
  });
});
