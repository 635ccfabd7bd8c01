import { KINDS, type KubeObject, stringAt, valueAt } from '@fenestra/kube-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { POD_IMAGE } from '../../support/beds/test-images.ts';
import { PATIENCE } from '../../support/cloud/patience.ts';
import { CLUSTER_DNS, POD_NODE, type PodCloud, startPodCloud } from '../../support/cloud/pod-cloud.ts';
import { SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';

const { signal } = new AbortController();

describe.skipIf(isShortRun())('events of pods and their node', () => {
  let cloud: PodCloud;
  let pods: TestPods;
  beforeAll(async () => {
    cloud = await startPodCloud(signal);
    pods = testPods(cloud);
  });
  afterAll(async () => cloud?.stop());

  async function eventsOf(name: string): Promise<readonly KubeObject[]> {
    const events = await cloud.api.list(KINDS.event, { namespace: 'default' }, signal);
    return events.filter((event) => stringAt(event, 'involvedObject', 'name') === name);
  }

  /** Waits for an event about a pod, or about the node, that happened so often at least. */
  async function untilEvent(name: string, reason: string, message: string, atLeast = 1): Promise<KubeObject> {
    return vi.waitFor(async () => {
      const events = await eventsOf(name);
      const found = events.find(
        (event) =>
          stringAt(event, 'reason') === reason &&
          stringAt(event, 'message').includes(message) &&
          Number(valueAt(event, 'count')) >= atLeast,
      );
      if (found !== undefined) return found;
      throw new Error(`No event "${reason}" about "${name}": ${JSON.stringify(events.map(textOf))}`);
    }, PATIENCE);
  }

  test('a pod that starts and ends has the events of a kubelet', async () => {
    const pod = await pods.runScript('good', SLEEP);
    await pods.untilRunning('good');
    await untilEvent('good', 'Pulled', `Container image "${POD_IMAGE}" already present on machine`);
    await untilEvent('good', 'Created', 'Created container: main');
    const started = await untilEvent('good', 'Started', 'Started container main');
    expect(started).toMatchObject({
      source: { component: 'kubelet', host: POD_NODE },
      involvedObject: { kind: 'Pod', namespace: 'default', uid: pod.metadata.uid, fieldPath: 'spec.containers{main}' },
      count: 1,
    });
    await pods.delete('good', 1);
    await pods.untilGone('good');
    await untilEvent('good', 'Killing', 'Stopping container main');
  });

  test('the node says that it started and is ready', async () => {
    await untilEvent(POD_NODE, 'Starting', 'Starting kubelet.');
    await untilEvent(POD_NODE, 'NodeReady', `Node ${POD_NODE} status is now: NodeReady`);
  });

  test('a container that fails again and again has one event that counts', async () => {
    const { metadata } = await pods.runScript('crashing', 'exit 1');
    const message = `Back-off restarting failed container main in pod crashing_default(${metadata.uid})`;
    await untilEvent('crashing', 'BackOff', message, 2);
    expect((await eventsOf('crashing')).filter((event) => stringAt(event, 'reason') === 'BackOff')).toHaveLength(1);
    await pods.delete('crashing');
  });

  test('a failed probe is in an event with what the probe printed, and so is the restart', async () => {
    const livenessProbe = {
      exec: { command: ['/bin/sh', '-c', 'echo sick; exit 1'] },
      periodSeconds: 1,
      failureThreshold: 2,
    };
    await pods.runScript('sick', SLEEP, {}, { livenessProbe });
    await untilEvent('sick', 'Unhealthy', 'Liveness probe failed: sick', 2);
    await untilEvent('sick', 'Killing', 'Container main failed liveness probe, will be restarted');
    await pods.delete('sick');
  });

  test('a missing image, an image that may not be pulled and a wrong name are in events', async () => {
    const image = `${cloud.runtime.registry}/absent/events:1`;
    await pods.runScript('absent', SLEEP, {}, { image });
    await untilEvent('absent', 'Pulling', `Pulling image "${image}"`);
    await untilEvent('absent', 'Failed', `Failed to pull image "${image}"`);
    await untilEvent('absent', 'Failed', 'Error: ErrImagePull');
    await untilEvent('absent', 'BackOff', `Back-off pulling image "${image}"`);
    await pods.runScript('never', SLEEP, {}, { image, imagePullPolicy: 'Never' });
    await untilEvent('never', 'ErrImageNeverPull', '');
    await pods.runScript('misnamed', SLEEP, {}, { image: 'Not an image' });
    await untilEvent('misnamed', 'InspectFailed', '');
    for (const name of ['absent', 'never', 'misnamed']) await pods.delete(name);
  });

  test('a missing ConfigMap is in an event of the volume and of the variable that need it', async () => {
    const volumes = [{ name: 'settings', configMap: { name: 'absent' } }];
    await pods.runScript(
      'no-volume',
      SLEEP,
      { volumes },
      { volumeMounts: [{ name: 'settings', mountPath: '/settings' }] },
    );
    await untilEvent(
      'no-volume',
      'FailedMount',
      'MountVolume.SetUp failed for volume "settings" : configmap "absent" not found',
    );
    await pods.runScript('no-variable', SLEEP, {}, { envFrom: [{ configMapRef: { name: 'absent' } }] });
    await untilEvent('no-variable', 'Failed', 'Error: configmap "absent" not found');
    for (const name of ['no-volume', 'no-variable']) await pods.delete(name);
  });

  test('hooks that fail, name servers that are left out and a replaced sandbox are in events', async () => {
    const failing = { exec: { command: ['/bin/sh', '-c', 'exit 1'] } };
    await pods.runScript('bad-start', SLEEP, {}, { lifecycle: { postStart: failing } });
    await untilEvent('bad-start', 'FailedPostStartHook', 'PostStartHook failed');
    await pods.runScript('bad-stop', SLEEP, {}, { lifecycle: { preStop: failing } });
    await pods.untilRunning('bad-stop');
    await pods.delete('bad-stop', 5);
    await untilEvent('bad-stop', 'FailedPreStopHook', 'PreStopHook failed');
    await pods.runScript('names', SLEEP, { dnsConfig: { nameservers: ['192.0.2.1', '192.0.2.2', '192.0.2.3'] } });
    await untilEvent('names', 'DNSConfigForming', `${CLUSTER_DNS} 192.0.2.1 192.0.2.2`);
    await pods.untilRunning('names');
    for (const { id } of await pods.sandboxesOf('names')) await cloud.cri.stopSandbox(id, signal);
    await untilEvent('names', 'SandboxChanged', 'Pod sandbox changed, it will be killed and re-created.');
    for (const name of ['bad-start', 'names']) await pods.delete(name);
  });

  test('an unsupported field is named in an event and in the status of the pod', async () => {
    await pods.runScript('unsupported', SLEEP, { hostUsers: false });
    const event = await untilEvent('unsupported', 'UnsupportedField', '');
    expect(stringAt(event, 'message')).toContain('"spec.hostUsers"');
    await pods.untilStatus('unsupported', {
      phase: 'Failed',
      reason: 'UnsupportedField',
      message: expect.stringContaining('"spec.hostUsers"'),
    });
  });

  test('an agent that is started again writes events about itself, and none about pods that run on', async () => {
    await pods.runScript('kept', SLEEP);
    await pods.untilRunning('kept');
    await untilEvent('kept', 'Started', '');
    const starts = async () => (await eventsOf(POD_NODE)).filter((event) => stringAt(event, 'reason') === 'Starting');
    const [before, startsBefore] = [await eventsOf('kept'), (await starts()).length];
    await cloud.killAgent();
    await cloud.startAgent();
    await vi.waitFor(async () => expect((await starts()).length).toBeGreaterThan(startsBefore), PATIENCE);
    await pods.runScript('later', SLEEP);
    await untilEvent('later', 'Started', '');
    expect(await eventsOf('kept')).toEqual(before);
    for (const name of ['kept', 'later']) await pods.delete(name);
  });

  test('events of the time without the cloud arrive when it is back', async () => {
    await pods.runScript('offline', 'sleep 5; exit 1');
    await pods.untilRunning('offline');
    await untilEvent('offline', 'Started', '');
    await cloud.stopCloud();
    const isRestarted = async () =>
      (await pods.containersOf('offline')).some(({ metadata }) => (metadata?.attempt ?? 0) > 0);
    await vi.waitUntil(isRestarted, PATIENCE);
    await cloud.startCloud();
    await untilEvent('offline', 'Started', '', 2);
    await pods.delete('offline');
  });
});

/** `Normal Started 1: Started container main`. */
function textOf(event: KubeObject): string {
  const [type, reason, message] = ['type', 'reason', 'message'].map((field) => stringAt(event, field));
  return `${type} ${reason} ${JSON.stringify(valueAt(event, 'count'))}: ${message}`;
}
