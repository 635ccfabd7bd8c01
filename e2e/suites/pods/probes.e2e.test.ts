import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, listAt, valueAt } from '@fenestra/kube-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PATIENCE } from '../../support/cloud/patience.ts';
import { type PodCloud, startPodCloud } from '../../support/cloud/pod-cloud.ts';
import { scriptContainer, SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';

const { signal } = new AbortController();
const SERVE = 'mkdir -p /www; echo ok > /www/healthz; httpd -p 8080 -h /www';
const EVERY_SECOND = { periodSeconds: 1, failureThreshold: 1 };

function exec(script: string): JsonObject {
  return { exec: { command: ['/bin/sh', '-c', script] } };
}

describe.skipIf(isShortRun())('probes, hooks and the order of containers', () => {
  let cloud: PodCloud;
  let pods: TestPods;
  beforeAll(async () => {
    cloud = await startPodCloud(signal);
    pods = testPods(cloud);
  });
  afterAll(async () => cloud?.stop());

  /** A folder of the node that a pod has at `/notes`, to read it when the pod is gone. */
  async function notes(
    name: string,
  ): Promise<{ readonly spec: JsonObject; readonly mounts: JsonObject; readonly read: () => Promise<string> }> {
    const path = join(cloud.runtime.folder, `notes-${name}`);
    await mkdir(path, { mode: 0o777 });
    return {
      spec: { volumes: [{ name: 'notes', hostPath: { path } }] },
      mounts: { volumeMounts: [{ name: 'notes', mountPath: '/notes' }] },
      read: async () => readFile(join(path, 'log'), 'utf8').catch(() => ''),
    };
  }

  test.each([
    ['exec', exec('test -e /www/healthz'), 'rm /www/healthz'],
    ['http', { httpGet: { path: '/healthz', port: 8080 } }, 'rm /www/healthz'],
    ['tcp', { tcpSocket: { port: 8080 } }, 'killall httpd'],
  ])('a container whose %s liveness probe fails is restarted', async (kind, handler, breakIt) => {
    const name = `live-${kind}`;
    await pods.runScript(name, `${SERVE}; ${SLEEP}`, {}, { livenessProbe: { ...handler, ...EVERY_SECOND } });
    await pods.untilRunning(name);
    await pods.exec(name, breakIt);
    await pods.untilStatus(name, { containerStatuses: [{ restartCount: 1, state: { running: {} } }] });
    await pods.delete(name);
  });

  test('a probe that fails less often than its threshold changes nothing', async () => {
    const livenessProbe = { ...exec('test -e /ok'), periodSeconds: 1, failureThreshold: 60 };
    const readinessProbe = { ...exec('test -e /ready'), ...EVERY_SECOND };
    await pods.runScript('threshold', SLEEP, {}, { livenessProbe, readinessProbe });
    await pods.untilStatus('threshold', { containerStatuses: [{ state: { running: {} } }] });
    await pods.exec('threshold', 'touch /ready');
    await pods.untilStatus('threshold', { containerStatuses: [{ ready: true, restartCount: 0 }] });
    await pods.delete('threshold');
  });

  test('a container is ready only while its readiness probe succeeds, and is never restarted for it', async () => {
    const readinessProbe = { ...exec('test -e /ready'), ...EVERY_SECOND };
    await pods.runScript('readiness', SLEEP, {}, { readinessProbe });
    const becomes = async (ready: boolean): Promise<unknown> =>
      pods.untilStatus('readiness', {
        phase: 'Running',
        conditions: expect.arrayContaining([
          expect.objectContaining({ type: 'Ready', status: ready ? 'True' : 'False' }),
        ]),
        containerStatuses: [{ ready, restartCount: 0, state: { running: {} } }],
      });
    await becomes(false);
    await pods.exec('readiness', 'touch /ready');
    await becomes(true);
    await pods.exec('readiness', 'rm /ready');
    await becomes(false);
    await pods.delete('readiness');
  });

  test('the other probes begin when the startup probe has succeeded', async () => {
    const script = `sleep 3; echo probed >> /tmp/started; ${SLEEP}`;
    await pods.runScript(
      'startup',
      script,
      {},
      {
        startupProbe: { ...exec('test -e /tmp/started'), periodSeconds: 1, failureThreshold: 30 },
        livenessProbe: { ...exec('test -e /tmp/started'), ...EVERY_SECOND },
      },
    );
    await pods.untilStatus('startup', { containerStatuses: [{ started: false, ready: false, restartCount: 0 }] });
    await pods.untilStatus('startup', { containerStatuses: [{ started: true, ready: true, restartCount: 0 }] });
    await pods.delete('startup');
  });

  test('an exec probe that takes longer than its timeout fails', async () => {
    const livenessProbe = { ...exec('sleep 20'), timeoutSeconds: 1, ...EVERY_SECOND };
    await pods.runScript('slow', SLEEP, {}, { livenessProbe });
    await pods.untilStatus('slow', { containerStatuses: [{ restartCount: 1 }] });
    await pods.delete('slow');
  });

  test('the next container waits for the postStart hook of the one before', async () => {
    const { spec, mounts, read } = await notes('order');
    const postStart = exec('sleep 1; echo hooked >> /notes/log');
    await pods.create('order', {
      ...spec,
      containers: [
        scriptContainer('first', SLEEP, { ...mounts, lifecycle: { postStart } }),
        scriptContainer('second', `echo second >> /notes/log; ${SLEEP}`, mounts),
      ],
    });
    await pods.untilRunning('order');
    await vi.waitFor(async () => expect(await read()).toBe('hooked\nsecond\n'), PATIENCE);
    await pods.delete('order');
  });

  test('a container whose postStart hook fails is killed and restarted', async () => {
    await pods.runScript('bad-hook', SLEEP, {}, { lifecycle: { postStart: exec('exit 3') } });
    await pods.untilStatus('bad-hook', { containerStatuses: [{ restartCount: 1 }] });
    await pods.delete('bad-hook');
  });

  test('the preStop hook ends before SIGTERM is sent', async () => {
    const { spec, mounts, read } = await notes('stop');
    const script = 'trap "echo terminated >> /notes/log; exit 0" TERM; while :; do sleep 0.1; done';
    const preStop = exec('sleep 1; echo hooked >> /notes/log');
    await pods.runScript(
      'stop',
      script,
      { ...spec, terminationGracePeriodSeconds: 20 },
      { ...mounts, lifecycle: { preStop } },
    );
    await pods.untilRunning('stop');
    await pods.delete('stop', 20);
    await pods.untilGone('stop');
    expect(await read()).toBe('hooked\nterminated\n');
  });

  test('a preStop hook that takes longer than the grace period does not keep the pod', async () => {
    const lifecycle = { preStop: exec('sleep 600') };
    await pods.runScript('endless-hook', SLEEP, { terminationGracePeriodSeconds: 2 }, { lifecycle });
    await pods.untilRunning('endless-hook');
    await pods.delete('endless-hook', 2);
    await pods.untilGone('endless-hook');
  });

  test('a shorter grace period takes effect while the pod ends', async () => {
    const deaf = 'trap "" TERM; while :; do sleep 0.2; done';
    await pods.runScript('deaf', deaf, { terminationGracePeriodSeconds: 600 });
    await pods.untilRunning('deaf');
    await pods.delete('deaf', 600);
    await vi.waitFor(async () => expect((await pods.find('deaf'))?.metadata.deletionTimestamp).toBeDefined(), PATIENCE);
    await pods.delete('deaf', 1);
    await pods.untilGone('deaf');
  });

  test('a sidecar starts first, is restarted, and ends after the others', async () => {
    const { spec, mounts, read } = await notes('sidecar');
    const side =
      'echo side >> /notes/log; trap "echo side ends >> /notes/log; exit 0" TERM; while :; do sleep 0.1; done';
    await pods.create('sidecar', {
      ...spec,
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 20,
      initContainers: [
        scriptContainer('side', side, {
          ...mounts,
          restartPolicy: 'Always',
          startupProbe: { ...exec('test -s /notes/log'), periodSeconds: 1, failureThreshold: 30 },
        }),
      ],
      containers: [
        scriptContainer('main', 'echo main >> /notes/log; while [ ! -e /notes/end ]; do sleep 0.1; done', mounts),
      ],
    });
    await pods.untilRunning('sidecar');
    await pods.exec('sidecar', 'kill -KILL 1', 'side').catch(() => undefined);
    await pods.exec('sidecar', 'kill 1', 'side');
    await pods.untilStatus('sidecar', { initContainerStatuses: [{ restartCount: 1, ready: true }] });
    await pods.exec('sidecar', 'touch /notes/end');
    await pods.untilStatus('sidecar', { phase: 'Succeeded' });
    await vi.waitFor(async () => expect(await read()).toBe('side\nmain\nside ends\nside\nside ends\n'), PATIENCE);
    await pods.delete('sidecar');
  });

  test.each([
    ['is the file of the container', 'file', 'echo -n why > /dev/termination-log; exit 1', {}, 'why'],
    ['is empty without a file', 'none', 'echo log; exit 1', {}, undefined],
    [
      'is the end of the log if the pod asks for it',
      'log',
      'echo log; exit 1',
      { terminationMessagePolicy: 'FallbackToLogsOnError' },
      'log\n',
    ],
    [
      'is at another path if the pod says so',
      'path',
      'echo -n there > /tmp/why; exit 1',
      { terminationMessagePath: '/tmp/why' },
      'there',
    ],
    [
      'has at most 4096 bytes',
      'long',
      'head -c 9000 /dev/zero | tr "\\0" x > /dev/termination-log; exit 1',
      {},
      'x'.repeat(4096),
    ],
  ])('the termination message %s', async (_, kind, script, fields, message) => {
    const name = `message-${kind}`;
    await pods.runScript(name, script, { restartPolicy: 'Never' }, fields);
    const pod = await pods.untilStatus(name, { phase: 'Failed' });
    expect(pod['status']).toMatchObject({ containerStatuses: [{ state: { terminated: { exitCode: 1 } } }] });
    const [container] = listAt(pod, 'status', 'containerStatuses');
    expect(valueAt(container, 'state', 'terminated', 'message')).toBe(message);
    await pods.delete(name);
  });
});
