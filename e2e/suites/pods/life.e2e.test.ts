import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ContainerState } from '@fenestra/cri/messages';
import { KINDS } from '@fenestra/kube-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PATIENCE } from '../../support/cloud/patience.ts';
import { type PodCloud, startPodCloud } from '../../support/cloud/pod-cloud.ts';
import { scriptContainer, SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { debianKubectl } from '../../support/machines/debian-kubectl.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';

const { signal } = new AbortController();
const RUNNING = ContainerState.CONTAINER_RUNNING;

describe('a node with one runtime', () => {
  let cloud: PodCloud;
  let pods: TestPods;
  beforeAll(async () => {
    cloud = await startPodCloud(signal);
    pods = testPods(cloud);
  });
  afterAll(async () => cloud?.stop());

  test('a pod runs, and the runtime has it with the labels, annotations and log paths of a kubelet', async () => {
    await pods.create(
      'labelled',
      { containers: [scriptContainer('main', `echo hi; ${SLEEP}`)] },
      { labels: { app: 'web' }, annotations: { note: 'of the pod' } },
    );
    const { metadata } = await pods.untilRunning('labelled');
    const identity = {
      'io.kubernetes.pod.name': 'labelled',
      'io.kubernetes.pod.namespace': 'default',
      'io.kubernetes.pod.uid': metadata.uid,
    };
    const [sandbox] = await pods.sandboxesOf('labelled');
    expect(sandbox?.labels).toEqual({ ...identity, app: 'web' });
    expect(sandbox?.annotations).toMatchObject({ note: 'of the pod' });
    const [container] = await pods.containersOf('labelled');
    expect(container?.labels).toEqual({ ...identity, 'io.kubernetes.container.name': 'main' });
    expect(container?.annotations).toMatchObject({
      'io.kubernetes.container.restartCount': '0',
      'io.kubernetes.container.hash': expect.stringMatching(/^[0-9a-f]{1,8}$/),
      'io.kubernetes.pod.terminationGracePeriod': '1',
    });
    expect(await pods.output('labelled')).toBe('hi');
    const logs = join(cloud.nodeRoot, 'var/log/pods', `default_labelled_${metadata.uid}`, 'main');
    expect(await readdir(logs)).toEqual(['0.log']);
  });

  test('"kubectl delete pod" returns when the pod has ended, and nothing of it is left', async () => {
    await pods.runScript('deleted', SLEEP);
    const { metadata } = await pods.untilRunning('deleted');
    const kubectl = await debianKubectl(signal);
    const args = ['--kubeconfig', cloud.kubeconfig, 'delete', 'pod', 'deleted', '--timeout=60s'];
    expect(await cloud.run([kubectl, ...args])).toContain('deleted');
    expect(await pods.find('deleted')).toBeUndefined();
    await vi.waitFor(async () => expect(await leftOf('deleted', metadata.uid ?? '')).toEqual([]), PATIENCE);
  });

  /** What the runtime, the disk and the control groups have of a pod. */
  async function leftOf(name: string, uid: string): Promise<readonly string[]> {
    const parts = [...(await pods.sandboxesOf(name)), ...(await pods.containersOf(name))].map(({ id }) => id);
    const folders = [`${cloud.nodeRoot}/var`, '/sys/fs/cgroup'];
    const files = await cloud.run(['find', ...folders, '-path', `*${uid}*`, '-print', '-prune']);
    return [...parts, ...files.split('\n').filter((line) => line !== '')];
  }

  test('a pod of another node is not run', async () => {
    await pods.runScript('elsewhere', SLEEP, { nodeName: 'press-2' });
    await pods.runScript('here', SLEEP);
    await pods.untilRunning('here');
    expect(await pods.sandboxesOf('elsewhere')).toEqual([]);
    expect((await pods.find('elsewhere'))?.['status']).toMatchObject({ phase: 'Pending' });
  });

  test.each([
    ['Always', 0, { phase: 'Running', restarts: 1 }],
    ['Always', 1, { phase: 'Running', restarts: 1 }],
    ['OnFailure', 0, { phase: 'Succeeded', restarts: 0 }],
    ['OnFailure', 1, { phase: 'Running', restarts: 1 }],
    ['Never', 0, { phase: 'Succeeded', restarts: 0 }],
    ['Never', 1, { phase: 'Failed', restarts: 0 }],
  ])('with the restart policy %s and exit code %i the pod is %o', async (restartPolicy, code, { phase, restarts }) => {
    const name = `${restartPolicy.toLowerCase()}-${code}`;
    await pods.runScript(name, `sleep 0.5; exit ${code}`, { restartPolicy });
    const terminated = { exitCode: code, reason: code === 0 ? 'Completed' : 'Error' };
    const ended = restarts === 0 ? { state: { terminated } } : { lastState: { terminated } };
    await pods.untilStatus(name, { phase, containerStatuses: [{ restartCount: restarts, ...ended }] });
    await pods.delete(name);
  });

  test.skipIf(isShortRun())(
    'a container that fails again and again waits 10 s, 20 s and so on from its end',
    async () => {
      await pods.runScript('crashing', 'echo started; exit 1');
      const starts: number[] = [];
      for (const attempt of [0, 1, 2, 3]) {
        if (attempt === 2) {
          const waiting = {
            reason: 'CrashLoopBackOff',
            message: expect.stringContaining('back-off 10s restarting failed'),
          };
          await pods.untilStatus('crashing', { phase: 'Running', containerStatuses: [{ state: { waiting } }] });
        }
        starts.push(await vi.waitFor(async () => pods.startedAt('crashing', attempt), PATIENCE));
      }
      const waits = starts.slice(1).map((start, index) => (start - (starts[index] ?? 0)) / 1000);
      expect(waits[0]).toBeLessThan(5);
      for (const [index, seconds] of waits.slice(1).entries()) {
        expect(seconds).toBeGreaterThanOrEqual(10 * 2 ** index);
        expect(seconds).toBeLessThan(10 * 2 ** index + 3);
      }
      await pods.delete('crashing');
    },
  );

  test('init containers run one after the other before the others, and not again when one of these restarts', async () => {
    const mount = { volumeMounts: [{ name: 'shared', mountPath: '/shared' }] };
    await pods.create('initialized', {
      volumes: [{ name: 'shared', emptyDir: {} }],
      initContainers: [
        scriptContainer('first', 'sleep 0.5; echo first >> /shared/order', mount),
        scriptContainer('second', 'echo second >> /shared/order', mount),
      ],
      containers: [scriptContainer('main', `echo main >> /shared/order; ${SLEEP}`, mount)],
    });
    await pods.untilRunning('initialized');
    expect(await pods.exec('initialized', 'cat /shared/order')).toBe('first\nsecond\nmain\n');
    await pods.exec('initialized', 'kill 1');
    await pods.untilStatus('initialized', { containerStatuses: [{ restartCount: 1, ready: true }] });
    expect(await pods.exec('initialized', 'cat /shared/order')).toBe('first\nsecond\nmain\nmain\n');
  });

  test.skipIf(isShortRun())('a new sandbox begins with the first init container', async () => {
    const [sandbox] = await pods.sandboxesOf('initialized');
    await cloud.cri.stopSandbox(sandbox?.id ?? '', signal);
    await pods.untilStatus('initialized', { containerStatuses: [{ restartCount: 2, ready: true }] });
    expect(await pods.exec('initialized', 'tail -n 3 /shared/order')).toBe('first\nsecond\nmain\n');
  });

  test('a failed init container fails a pod that never restarts, and is repeated in one that does', async () => {
    const initContainers = [scriptContainer('init', 'exit 4')];
    await pods.runScript('init-fails', SLEEP, { initContainers, restartPolicy: 'Never' });
    await pods.runScript('init-repeats', SLEEP, { initContainers });
    await pods.untilStatus('init-fails', {
      phase: 'Failed',
      initContainerStatuses: [{ restartCount: 0, state: { terminated: { exitCode: 4 } } }],
    });
    await pods.untilStatus('init-repeats', {
      phase: 'Pending',
      initContainerStatuses: [{ restartCount: 1 }],
      containerStatuses: [{ state: { waiting: { reason: 'PodInitializing' } } }],
    });
    expect((await pods.containersOf('init-repeats')).map(({ metadata }) => metadata?.name)).not.toContain('main');
    await pods.delete('init-repeats');
  });

  test('an image name that is not one is reported', async () => {
    await pods.create('misnamed', { containers: [{ name: 'main', image: 'NOT A NAME' }] });
    const waiting = { reason: 'InvalidImageName', message: expect.stringContaining('NOT A NAME') };
    await pods.untilStatus('misnamed', { phase: 'Pending', containerStatuses: [{ state: { waiting } }] });
  });

  test('a pod that runs longer than its deadline fails, also with a deadline that was lowered', async () => {
    await pods.runScript('too-long', SLEEP, { activeDeadlineSeconds: 2 });
    await pods.runScript('lowered', SLEEP, { activeDeadlineSeconds: 3600 });
    await pods.untilRunning('lowered');
    await cloud.api.patch(
      KINDS.pod,
      { namespace: 'default', name: 'lowered' },
      { type: 'merge', body: { spec: { activeDeadlineSeconds: 1 } } },
      signal,
    );
    for (const name of ['too-long', 'lowered']) {
      await pods.untilStatus(name, { phase: 'Failed', reason: 'DeadlineExceeded' });
      expect(await running(name)).toEqual([]);
    }
  });

  async function running(name: string): Promise<readonly string[]> {
    return (await pods.containersOf(name)).filter(({ state }) => state === RUNNING).map(({ id }) => id);
  }

  /** How long it takes until the object of a pod is gone, in seconds. */
  async function secondsToDelete(name: string, graceSeconds: number): Promise<number> {
    const start = performance.now();
    await pods.delete(name, graceSeconds);
    await pods.untilGone(name);
    return (performance.now() - start) / 1000;
  }

  test('a pod has its grace period to end after SIGTERM, and is then killed', async () => {
    const volumes = [
      { name: 'notes', hostPath: { path: join(cloud.runtime.folder, 'notes'), type: 'DirectoryOrCreate' } },
    ];
    const container = { volumeMounts: [{ name: 'notes', mountPath: '/notes' }] };
    const polite = 'trap "sleep 1; echo ended > /notes/polite; exit 0" TERM; while :; do sleep 0.1; done';
    const deaf = 'trap "" TERM; while :; do sleep 0.1; done';
    await pods.runScript('polite', polite, { volumes }, container);
    for (const name of ['deaf', 'deaf-without-grace', 'deaf-and-hurried']) await pods.runScript(name, deaf);
    for (const name of ['polite', 'deaf', 'deaf-without-grace', 'deaf-and-hurried']) await pods.untilRunning(name);
    expect(await secondsToDelete('polite', 30)).toBeLessThan(10);
    expect(await readFile(join(cloud.runtime.folder, 'notes/polite'), 'utf8')).toBe('ended\n');
    const deafSeconds = await secondsToDelete('deaf', 4);
    expect(deafSeconds).toBeGreaterThanOrEqual(4);
    expect(deafSeconds).toBeLessThan(9);
    await pods.delete('deaf-without-grace', 0);
    await vi.waitFor(async () => expect(await running('deaf-without-grace')).toEqual([]), { timeout: 10_000 });
    await pods.delete('deaf-and-hurried', 60);
    await delay(1_000);
    expect(await running('deaf-and-hurried')).toHaveLength(1);
    expect(await secondsToDelete('deaf-and-hurried', 1)).toBeLessThan(8);
  });

  test.skipIf(isShortRun())('a killed container shows the exit code of SIGKILL', async () => {
    const deaf = 'trap "" TERM; while :; do sleep 0.1; done';
    await pods.runScript('killed', deaf, { activeDeadlineSeconds: 1, terminationGracePeriodSeconds: 1 });
    const terminated = { exitCode: 137, reason: 'Error' };
    await pods.untilStatus('killed', { phase: 'Failed', containerStatuses: [{ state: { terminated } }] });
  });

  test.skipIf(isShortRun())('fifty pods at once all run, and nothing is left when they are deleted', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `many-${index}`);
    await Promise.all(names.map(async (name) => pods.runScript(name, SLEEP)));
    for (const name of names) await pods.untilRunning(name);
    const uids = await Promise.all(names.map(async (name) => (await pods.find(name))?.metadata.uid ?? ''));
    await Promise.all(names.map(async (name) => pods.delete(name, 1)));
    for (const name of names) await pods.untilGone(name);
    const [uid = '', name = ''] = [uids.at(-1), names.at(-1)];
    await vi.waitFor(async () => expect(await leftOf(name, uid)).toEqual([]), PATIENCE);
    const { stdout } = await cloud.runtime.cage.run(['find', '/sys/fs/cgroup', '-name', 'pod*'], {}, signal);
    for (const each of uids) expect(stdout).not.toContain(each);
  });
});
