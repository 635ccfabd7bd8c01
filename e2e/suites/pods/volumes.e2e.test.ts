import { type JsonObject, KINDS, stringAt } from '@fenestra/kube-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PATIENCE } from '../../support/cloud/patience.ts';
import { type PodCloud, startPodCloud } from '../../support/cloud/pod-cloud.ts';
import { SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';

const { signal } = new AbortController();
const CONFIG = { namespace: 'default', name: 'settings' };

/** Two texts of the same version. */
function data(version: number): JsonObject {
  return { one: `version ${version}`, other: `version ${version}` };
}

describe.skipIf(isShortRun())('volumes that change, and parts of volumes', () => {
  let cloud: PodCloud;
  let pods: TestPods;
  beforeAll(async () => {
    cloud = await startPodCloud(signal);
    pods = testPods(cloud);
    const metadata = { namespace: CONFIG.namespace, name: CONFIG.name };
    await cloud.api.create(KINDS.configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: data(1) }, signal);
  });
  afterAll(async () => cloud?.stop());

  async function update(version: number): Promise<void> {
    await cloud.api.patch(KINDS.configMap, CONFIG, { type: 'merge', body: { data: data(version) } }, signal);
  }

  test('a part of a volume stays as it was when its container started', async () => {
    await update(30);
    const volumes = [{ name: 'settings', configMap: { name: CONFIG.name } }];
    const volumeMounts = [
      { name: 'settings', mountPath: '/one', subPath: 'one' },
      { name: 'settings', mountPath: '/settings' },
    ];
    await pods.runScript('part', SLEEP, { volumes }, { volumeMounts });
    await pods.untilRunning('part');
    await update(31);
    await vi.waitFor(async () => expect(await pods.exec('part', 'cat /settings/one')).toBe('version 31'), PATIENCE);
    expect(await pods.exec('part', 'cat /one')).toBe('version 30');
    await pods.delete('part');
  });

  test('a part of a volume can be named by a variable, and is made where it is missing', async () => {
    const volumes = [{ name: 'shared', emptyDir: {} }];
    const env = [{ name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }];
    const volumeMounts = [
      { name: 'shared', mountPath: '/all' },
      { name: 'shared', mountPath: '/mine', subPathExpr: 'of/$(NAME)' },
    ];
    const script = 'echo here > /mine/file; cat /all/of/named/file';
    expect(await pods.runOnce('named', script, { volumes }, { env, volumeMounts })).toBe('here');
  });

  test('a downwardAPI volume shows labels and annotations, and follows them', async () => {
    const items = [
      { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
      { path: 'note', fieldRef: { fieldPath: "metadata.annotations['note']" } },
      { path: 'memory', resourceFieldRef: { containerName: 'main', resource: 'limits.memory', divisor: '1Mi' } },
    ];
    const spec = { volumes: [{ name: 'self', downwardAPI: { items } }] };
    const container = {
      volumeMounts: [{ name: 'self', mountPath: '/self' }],
      resources: { limits: { memory: '32Mi' } },
    };
    await pods.runScript('self', SLEEP, spec, container);
    await pods.untilRunning('self');
    expect(await pods.exec('self', 'cat /self/memory')).toBe('32');
    const metadata = { labels: { line: '7' }, annotations: { note: 'moved' } };
    await cloud.api.patch(
      KINDS.pod,
      { namespace: 'default', name: 'self' },
      { type: 'merge', body: { metadata } },
      signal,
    );
    await vi.waitFor(
      async () => expect(await pods.exec('self', 'cat /self/labels /self/note')).toBe('line="7"moved'),
      PATIENCE,
    );
    await pods.delete('self');
  });

  test('a projected volume has the token of the service account for the audience that the pod names', async () => {
    const sources = [
      { serviceAccountToken: { path: 'token', audience: 'press', expirationSeconds: 600 } },
      { configMap: { name: CONFIG.name, items: [{ key: 'one', path: 'config/one' }] } },
      { downwardAPI: { items: [{ path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace' } }] } },
    ];
    const volumes = [{ name: 'all', projected: { sources, defaultMode: 0o440 } }];
    const spec = { volumes, serviceAccountName: 'default', securityContext: { fsGroup: 2000 } };
    const script = 'cut -d. -f2 /all/token; stat -L -c "%a %g" /all/token; cat /all/namespace; echo; ls /all/config';
    const output = await pods.runOnce('projected', script, spec, {
      volumeMounts: [{ name: 'all', mountPath: '/all' }],
    });
    const [claims = '', ...rest] = output.split('\n');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      aud: ['press'],
      'kubernetes.io': { pod: { name: 'projected' }, serviceaccount: { name: 'default' } },
    });
    expect(rest).toEqual(['640 2000', 'default', 'one']);
  });

  test('the files of an emptyDir belong to the group of the pod', async () => {
    const spec = { volumes: [{ name: 'shared', emptyDir: {} }], securityContext: { fsGroup: 2000, runAsUser: 1000 } };
    const container = { volumeMounts: [{ name: 'shared', mountPath: '/shared' }] };
    const script = 'touch /shared/file; stat -c "%a %g" /shared; stat -c %g /shared/file; id -G';
    expect(await pods.runOnce('grouped', script, spec, container)).toBe('2777 2000\n2000\n0 2000');
  });

  test('a host port leads to the pod, and a second pod with it is refused', async () => {
    const ports = [{ containerPort: 8080, hostPort: 18_080 }];
    const script = `mkdir /www; echo served > /www/index.html; httpd -p 8080 -h /www; ${SLEEP}`;
    await pods.runScript('served', script, {}, { ports });
    const pod = await pods.untilRunning('served');
    const fetch = ['/bin/busybox', 'wget', '-qO-', `http://${stringAt(pod, 'status', 'hostIP')}:18080/`];
    await vi.waitFor(async () => expect(await cloud.run(fetch)).toBe('served\n'), PATIENCE);
    await pods.runScript('second', script, {}, { ports });
    await pods.untilStatus('second', { phase: 'Failed', reason: 'NodePorts' });
    await pods.delete('served');
    await pods.delete('second');
  });
});
