/** Pods that ask for too much, for what is not supported, or for what is not theirs. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type JsonObject, KINDS, stringAt } from '@fenestra/kube-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { POD_IMAGE } from '../../support/beds/test-images.ts';
import { type PodCloud, startPodCloud, untilNodeReady } from '../../support/cloud/pod-cloud.ts';
import { podTraces } from '../../support/cloud/pod-traces.ts';
import { restartCounts, scriptContainer, SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';

const { signal } = new AbortController();
const MANY = 110;
/** A hundred and ten pods start and stop within minutes, on a machine that does other things as well. */
const LONG = { timeout: 15 * 60_000, interval: 1_000 };

/** Three files that begin with the same number, and are long enough to be seen half written. */
function dataOf(number: number): JsonObject {
  return Object.fromEntries(['a', 'b', 'c'].map((key) => [key, `${number} ${'x'.repeat(20_000)}\n`]));
}

describe.skipIf(isShortRun())('pods that ask for too much', () => {
  let cloud: PodCloud;
  let pods: TestPods;
  beforeAll(async () => {
    cloud = await startPodCloud(signal);
    pods = testPods(cloud);
  });
  afterAll(async () => cloud?.stop());

  /** Waits until the agent says that it cannot start a part of a pod, and why. */
  async function untilRefused(name: string, why: RegExp): Promise<void> {
    const said = new RegExp(`"pod":"default/${name}".*${why.source}`);
    await vi.waitFor(async () => expect(await cloud.agentLog()).toMatch(said), { timeout: 60_000, interval: 250 });
    await pods.untilStatus(name, { phase: 'Pending' });
    await pods.delete(name);
  }

  async function untilConfigError(name: string, why: string): Promise<void> {
    const waiting = { reason: 'CreateContainerConfigError', message: expect.stringContaining(why) };
    await pods.untilStatus(name, { phase: 'Pending', containerStatuses: [{ state: { waiting } }] });
    await pods.delete(name);
  }

  test('a hostPath with ".." is refused', async () => {
    const volumes = [{ name: 'host', hostPath: { path: `${cloud.runtime.folder}/../../etc` } }];
    const volumeMounts = [{ name: 'host', mountPath: '/host' }];
    await pods.runScript('back-step', SLEEP, { volumes }, { volumeMounts });
    await untilRefused('back-step', /must not contain/);
  });

  test('a volume whose name leads out of the folder of its pod is refused', async () => {
    const volumes = [{ name: '../../../../../../../../../../../../etc', emptyDir: {} }];
    await expect(pods.runScript('named-out', SLEEP, { volumes })).rejects.toThrow(
      'Cannot create Pod "default/named-out"',
    );
  });

  test('a file of a volume whose path leads out of it is refused', async () => {
    const metadata = { name: 'files', namespace: 'default' };
    await cloud.api.create(
      KINDS.configMap,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: 'x' } },
      signal,
    );
    for (const [index, path] of ['../a', '/a', 'x/../../a', '..data'].entries()) {
      const volumes = [{ name: 'files', configMap: { name: 'files', items: [{ key: 'a', path }] } }];
      await pods.runScript(`file-out-${index}`, SLEEP, { volumes });
      await untilRefused(`file-out-${index}`, /cannot be had/);
    }
  });

  test('a sub path that leads out of its volume is refused, also by way of links that a container has made', async () => {
    const volumes = [{ name: 'shared', emptyDir: {} }];
    const plants =
      'ln -s /etc /shared/absolute; ln -s ../../../../../../../../etc /shared/relative; ln -s . /shared/self';
    const whole = { volumeMounts: [{ name: 'shared', mountPath: '/shared' }] };
    const initContainers = [scriptContainer('plant', plants, whole)];
    for (const [name, subPath, why] of [
      ['sub-back', '../../../etc', 'must not contain ".."'],
      ['sub-root', '/etc', 'must be relative'],
      ['sub-absolute', 'absolute', 'leads out of the volume'],
      ['sub-relative', 'relative/cron.d', 'leads out of the volume'],
    ] as const) {
      const volumeMounts = [{ name: 'shared', mountPath: '/part', subPath }];
      await pods.runScript(name, SLEEP, { volumes, initContainers }, { volumeMounts });
      await untilConfigError(name, why);
    }
    const inside = { volumeMounts: [{ name: 'shared', mountPath: '/part', subPath: 'self/self/new' }] };
    expect(await pods.runOnce('sub-inside', 'touch /part/x && echo made', { volumes, initContainers }, inside)).toBe(
      'made',
    );
  });

  test('links in a volume do not lead its removal out of it', async () => {
    const outside = join(cloud.runtime.folder, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'kept'), '');
    const script = `ln -s ${outside} /shared/link; ${SLEEP}`;
    const volumeMounts = [{ name: 'shared', mountPath: '/shared' }];
    await pods.runScript('linked', script, { volumes: [{ name: 'shared', emptyDir: {} }] }, { volumeMounts });
    const linked = await pods.untilRunning('linked');
    await pods.delete('linked', 1);
    await pods.untilGone('linked');
    const { metadata } = linked;
    await vi.waitFor(async () => expect((await podTraces(cloud, signal)).folders).not.toContain(metadata.uid), LONG);
    expect(await readdir(outside)).toEqual(['kept']);
  });

  test('a megabyte of environment reaches a container; a variable that the kernel does not take is reported', async () => {
    const env = Array.from({ length: 10 }, (_, index) => ({ name: `BIG_${index}`, value: 'x'.repeat(100_000) }));
    expect(await pods.runOnce('megabyte', 'env | wc -c', {}, { env })).toMatch(/^1000\d\d\d$/);
    await pods.runScript('too-long', SLEEP, {}, { env: [{ name: 'BIG', value: 'x'.repeat(1_000_000) }] });
    const waiting = { reason: 'CrashLoopBackOff' };
    await pods.untilStatus('too-long', { containerStatuses: [{ state: { waiting } }] });
    expect(await pods.output('too-long')).toContain('rgument list too long');
    await pods.delete('too-long');
    await pods.runOnce('after-too-long', 'true');
  });

  test('a termination message that is endless, or a device, is cut', async () => {
    const endless = 'head -c 20000000 /dev/zero | tr "\\0" x > /dev/termination-log; exit 1';
    await pods.runScript('endless', endless, { restartPolicy: 'Never' });
    const pod = await pods.untilStatus('endless', { phase: 'Failed' });
    expect(JSON.stringify(pod['status']).length).toBeLessThan(10_000);
  });

  const UNSUPPORTED: readonly (readonly [words: string, spec: JsonObject, container: JsonObject])[] = [
    ['spec.hostUsers', { hostUsers: false }, {}],
    ['spec.runtimeClassName', { runtimeClassName: 'gvisor' }, {}],
    ['spec.resourceClaims', { resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] }, {}],
    ['spec.resources', { resources: { limits: { cpu: '1' } } }, {}],
    ['spec.containers[0].volumeDevices', {}, { volumeDevices: [{ name: 'disk', devicePath: '/dev/x' }] }],
    ['spec.containers[0].resources.claims', {}, { resources: { claims: [{ name: 'gpu' }] } }],
    ['nvidia.com/gpu', {}, { resources: { limits: { 'nvidia.com/gpu': '1' } } }],
    ['spec.containers[0].lifecycle.stopSignal', {}, { lifecycle: { stopSignal: 'SIGUSR1' } }],
    [
      'spec.containers[0].env[0].valueFrom.fileKeyRef',
      {},
      { env: [{ name: 'A', valueFrom: { fileKeyRef: { key: 'x' } } }] },
    ],
    ...['csi', 'nfs', 'iscsi', 'rbd', 'cephfs', 'glusterfs', 'ephemeral', 'image', 'gitRepo', 'fc'].map(
      (source) => ['spec.volumes[0].' + source, { volumes: [{ name: 'v', [source]: { path: 'x' } }] }, {}] as const,
    ),
  ];

  test('a pod with a field that is not supported fails, and says which', async () => {
    const named = UNSUPPORTED.map((each, index) => [`unsupported-${index}`, ...each] as const);
    await Promise.all(named.map(async ([name, , spec, container]) => pods.runScript(name, SLEEP, spec, container)));
    for (const [name, words] of named) {
      const pod = await pods.untilStatus(name, { phase: 'Failed', reason: 'UnsupportedField' });
      expect(stringAt(pod, 'status', 'message')).toContain(words);
      expect(await pods.sandboxesOf(name)).toEqual([]);
    }
    await Promise.all(named.map(async ([name]) => pods.delete(name)));
  });

  test('a pod with several fields that are not supported names them all', async () => {
    const spec = Object.assign({}, ...UNSUPPORTED.map(([, each]) => each));
    const { volumes: _, ...rest } = spec;
    await pods.create('all-unsupported', { ...rest, containers: [{ name: 'main', image: POD_IMAGE }] });
    const pod = await pods.untilStatus('all-unsupported', { phase: 'Failed', reason: 'UnsupportedField' });
    const message = stringAt(pod, 'status', 'message');
    for (const words of ['spec.hostUsers', 'spec.runtimeClassName', 'spec.resourceClaims', 'spec.resources'])
      expect(message).toContain(words);
    await pods.delete('all-unsupported');
  });

  test('a probe that hangs fails its container after its timeout, and no other pod', async () => {
    const exec = { command: ['/bin/sleep', '3600'] };
    const times = { timeoutSeconds: 1, periodSeconds: 1, failureThreshold: 2 };
    await pods.runScript('hanging-liveness', SLEEP, {}, { livenessProbe: { exec, ...times } });
    await pods.runScript('hanging-readiness', SLEEP, {}, { readinessProbe: { exec, ...times, timeoutSeconds: 3600 } });
    const status = { containerStatuses: [{ restartCount: 1 }] };
    await pods.untilStatus('hanging-liveness', status);
    const waits = { phase: 'Running', containerStatuses: [{ ready: false, restartCount: 0 }] };
    await pods.untilStatus('hanging-readiness', waits);
    await pods.runOnce('beside-hanging', 'true');
    const start = performance.now();
    await pods.delete('hanging-readiness', 1);
    await pods.untilGone('hanging-readiness');
    expect(performance.now() - start).toBeLessThan(30_000);
    await pods.delete('hanging-liveness');
  });

  test('a ConfigMap that changes 100 times in 10 seconds is shown whole at any time, and in the end as it is', async () => {
    const CHANGES = 100;
    const metadata = { name: 'changing', namespace: 'default' };
    await cloud.api.create(KINDS.configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: dataOf(0) }, signal);
    // A reader that keeps to one version of the folder, as a reader of several files does.
    const reads = `while :; do version=$(readlink /config/..data); set --
for key in a b c; do read -r number rest < "/config/$version/$key" && set -- "$@" "$number"; done 2>/dev/null
[ $# = 3 ] && { [ "$1" = "$2" ] && [ "$2" = "$3" ] || echo "mixed $*"; }; done`;
    const volumes = [{ name: 'config', configMap: { name: 'changing' } }];
    await pods.runScript('reading', reads, { volumes }, { volumeMounts: [{ name: 'config', mountPath: '/config' }] });
    await pods.untilRunning('reading');
    for (let number = 1; number <= CHANGES; number += 1) {
      const pause = delay(100);
      await cloud.api.patch(
        KINDS.configMap,
        { namespace: 'default', name: 'changing' },
        { type: 'merge', body: { data: dataOf(number) } },
        signal,
      );
      await pause;
    }
    const shown = async (): Promise<string> => pods.exec('reading', 'cut -d " " -f 1 /config/a /config/b /config/c');
    await vi.waitFor(async () => expect(await shown()).toBe(`${CHANGES}\n`.repeat(3)), LONG);
    expect(await pods.output('reading')).toBe('');
    await pods.delete('reading');
  });

  test(
    '110 pods at once all run, one more is refused, and nothing is left when they are deleted',
    { timeout: 45 * 60_000 },
    async () => {
      for (const { metadata } of await cloud.api.list(KINDS.pod, {}, signal)) await pods.delete(metadata.name);
      await vi.waitFor(async () => expect(await cloud.api.list(KINDS.pod, {}, signal)).toEqual([]), LONG);
      const names = Array.from({ length: MANY }, (_, index) => `many-${index}`);
      await Promise.all(names.map(async (name) => pods.runScript(name, 'trap "exit 0" TERM; sleep 36000 & wait')));
      for (const name of names) await pods.untilStatus(name, { phase: 'Running' }, LONG.timeout);
      await untilNodeReady(cloud);
      for (const name of names) expect(restartCounts(await pods.find(name))).toEqual({ main: 0 });
      await pods.runScript('one-more', SLEEP);
      await pods.untilStatus('one-more', { phase: 'Failed', reason: 'OutOfpods' });
      await pods.delete('one-more');
      await Promise.all(names.map(async (name) => pods.delete(name, 1)));
      await vi.waitFor(async () => expect((await cloud.api.list(KINDS.pod, {}, signal)).length).toBe(0), LONG);
      const nothing = { sandboxes: [], containers: [], groups: [], mounts: [], folders: [], shims: 0, addresses: 0 };
      await vi.waitFor(async () => expect(await podTraces(cloud, signal)).toEqual(nothing), LONG);
    },
  );
});
