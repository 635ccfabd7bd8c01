import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, KINDS } from '@fenestra/kube-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PATIENCE } from '../../support/cloud/patience.ts';
import { SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';
import { startWindowsPodCloud, type WindowsPodCloud } from '../../support/windows-pods/windows-pod-cloud.ts';

const { signal } = new AbortController();

function objectOf(kind: string, name: string): JsonObject {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'default' } };
}

describe.skipIf(isShortRun())('what the containers of pods on Windows find, and what the runtime is asked for', () => {
  let cloud: WindowsPodCloud;
  let pods: TestPods;
  beforeAll(async () => {
    cloud = await startWindowsPodCloud(signal);
    pods = testPods(cloud);
  });
  afterAll(async () => cloud?.stop());

  async function createConfig(name: string, data: JsonObject): Promise<void> {
    await cloud.api.create(KINDS.configMap, { ...objectOf('ConfigMap', name), data }, signal);
  }

  /** What the agent asked for of the newest container of a pod. */
  async function askedFor(name: string) {
    const [container] = (await pods.containersOf(name)).toSorted((a, b) => Number(b.createdAt - a.createdAt));
    const request = cloud.bridge.containers.get(container?.id ?? '');
    if (request?.config === undefined) throw new Error(`The agent did not ask for a container of "${name}"`);
    return { config: request.config, sandbox: request.sandboxConfig };
  }

  test('volumes of every kind have their files, and a sub path shows one of them', async () => {
    await createConfig('config', { greeting: 'hello', other: 'from config' });
    const secret = { type: 'Opaque', data: { password: Buffer.from('a secret').toString('base64') } };
    await cloud.api.create(KINDS.secret, { ...objectOf('Secret', 'secrets'), ...secret }, signal);
    const volumes = [
      { name: 'config', configMap: { name: 'config', items: [{ key: 'greeting', path: 'in/greeting' }] } },
      { name: 'secret', secret: { secretName: 'secrets', defaultMode: 0o400 } },
      { name: 'fields', downwardAPI: { items: [{ path: 'pod', fieldRef: { fieldPath: 'metadata.name' } }] } },
      { name: 'empty', emptyDir: { medium: 'Memory' } },
      {
        name: 'all',
        projected: { sources: [{ configMap: { name: 'config' } }, { secret: { name: 'secrets' } }] },
      },
    ];
    const volumeMounts = [
      ...volumes.map(({ name }) => ({ name, mountPath: `C:\\${name}` })),
      { name: 'config', mountPath: '/part', subPath: 'in/greeting' },
    ];
    const script = `cd /; for file in config/in/greeting secret/password fields/pod all/other all/password part; do
  echo "$file: $(cat $file)"; done; echo kept > empty/file; cat empty/file; touch config/x 2>&1 | grep -o Read-only
  grep -c volumes /Windows/System32/drivers/etc/hosts`;
    const output = await pods.runOnce('volumes', script, { volumes }, { volumeMounts });
    expect(output.split('\n')).toEqual([
      'config/in/greeting: hello',
      'secret/password: a secret',
      'fields/pod: volumes',
      'all/other: from config',
      'all/password: a secret',
      'part: hello',
      'kept',
      'Read-only',
      '1',
    ]);
  });

  test('a changed ConfigMap reaches the container that runs', async () => {
    await createConfig('changing', { text: 'old', gone: 'x' });
    const volumes = [{ name: 'config', configMap: { name: 'changing' } }];
    await pods.runScript('changing', SLEEP, { volumes }, { volumeMounts: [{ name: 'config', mountPath: '/config' }] });
    await pods.untilRunning('changing');
    const content = async (): Promise<string> => pods.exec('changing', 'cd /config; grep . *');
    expect(await content()).toBe('gone:x\ntext:old\n');
    await cloud.api.patch(
      KINDS.configMap,
      { namespace: 'default', name: 'changing' },
      { type: 'merge', body: { data: { text: 'new', gone: null, added: 'y' } } },
      signal,
    );
    await vi.waitFor(async () => expect(await content()).toBe('added:y\ntext:new\n'), PATIENCE);
  });

  test.each([
    ['DirectoryOrCreate', 'C:\\var\\host\\made', true],
    ['Directory', 'C:/var/host/folder', true],
    ['FileOrCreate', '/var/host/made-file', true],
    ['File', 'C:\\var\\host\\folder', false],
    ['Directory', 'C:\\var\\host\\nothing', false],
  ])('a hostPath of type "%s" at "%s" can be had: %s', async (type, path, isFine) => {
    const base = join(cloud.nodeRoot, 'var/host');
    await mkdir(join(base, 'folder'), { recursive: true });
    await writeFile(join(base, 'file'), '');
    const name = `host-${type.toLowerCase()}-${isFine ? 'fine' : 'wrong'}`;
    const volumes = [{ name: 'host', hostPath: { path, type } }];
    const mounts = { volumeMounts: [{ name: 'host', mountPath: '/host' }] };
    if (isFine) return expect(await pods.runOnce(name, 'ls -d /host', { volumes }, mounts)).toBe('/host');
    await pods.runScript(name, SLEEP, { volumes }, mounts);
    await vi.waitFor(
      async () => expect(await cloud.node.log()).toMatch(new RegExp(`default/${name}".*hostPath type check failed`)),
      PATIENCE,
    );
    await pods.delete(name);
  });

  test('a container leaves a termination message', async () => {
    await pods.runScript('last-word', 'echo "the disk is full" > /dev/termination-log; exit 1', {
      restartPolicy: 'Never',
    });
    const terminated = { exitCode: 1, message: 'the disk is full\n' };
    await pods.untilStatus('last-word', { phase: 'Failed', containerStatuses: [{ state: { terminated } }] });
  });

  test('the runtime is asked for limits and a user of Windows, and for paths as Windows has them', async () => {
    const securityContext = { windowsOptions: { runAsUserName: 'ContainerUser' } };
    const own = { windowsOptions: { runAsUserName: 'ContainerAdministrator' } };
    const resources = { requests: { cpu: '100m' }, limits: { cpu: '1', memory: '64Mi' } };
    const volumes = [{ name: 'empty', emptyDir: {} }];
    const volumeMounts = [{ name: 'empty', mountPath: '/data' }];
    const container = { resources, securityContext: own, volumeMounts, workingDir: 'C:\\data' };
    await pods.runScript('limited', SLEEP, { securityContext, volumes }, container);
    const { metadata } = await pods.untilRunning('limited');
    const { config, sandbox } = await askedFor('limited');
    expect(config.windows).toMatchObject({
      resources: { memoryLimitInBytes: BigInt(64 * 2 ** 20), cpuShares: 0n, cpuCount: 0n },
      securityContext: { runAsUsername: 'ContainerAdministrator', hostProcess: false },
    });
    expect(Number(config.windows?.resources?.cpuMaximum)).toBeGreaterThan(0);
    expect(config).toMatchObject({ workingDir: 'C:\\data' });
    expect(config.linux).toBeUndefined();
    expect(sandbox?.windows).toMatchObject({ securityContext: { runAsUsername: 'ContainerUser', hostProcess: false } });
    const folder = `C:\\var\\lib\\kubelet\\pods\\${metadata.uid}`;
    expect(config.mounts.map(({ containerPath, hostPath }) => [containerPath, hostPath])).toEqual([
      ['c:/data', `${folder}\\volumes\\kubernetes.io~empty-dir\\empty`],
      ['C:\\Windows\\System32\\drivers\\etc\\hosts', `${folder}\\etc-hosts`],
      ['c:/dev/termination-log', expect.stringContaining(`${folder}\\containers\\main\\`)],
    ]);
  });

  test('HostProcess containers are asked for on the network of the host, without a file of hosts', async () => {
    const windowsOptions = { hostProcess: true, runAsUserName: 'NT AUTHORITY\\SYSTEM' };
    await pods.runScript('host-process', SLEEP, { hostNetwork: true, securityContext: { windowsOptions } });
    await pods.untilRunning('host-process');
    const { config, sandbox } = await askedFor('host-process');
    const securityContext = { hostProcess: true, runAsUsername: 'NT AUTHORITY\\SYSTEM' };
    expect(config.windows).toMatchObject({ securityContext });
    expect(sandbox?.windows).toMatchObject({
      securityContext: { ...securityContext, namespaceOptions: { network: 2 } },
    });
    expect(config.mounts.map(({ containerPath }) => containerPath)).toEqual(['c:/dev/termination-log']);
  });

  test('HostProcess containers without the network of the host are refused', async () => {
    await pods.runScript('no-host-network', SLEEP, { securityContext: { windowsOptions: { hostProcess: true } } });
    await pods.untilStatus('no-host-network', { phase: 'Failed', reason: 'HostProcessInvalid' });
    expect(await pods.sandboxesOf('no-host-network')).toEqual([]);
  });

  test('a named pipe of the host is mounted by its name', async () => {
    const path = String.raw`\\.\pipe\some-service`;
    const volumes = [{ name: 'pipe', hostPath: { path } }];
    await pods.runScript('pipe', SLEEP, { volumes }, { volumeMounts: [{ name: 'pipe', mountPath: path }] });
    await pods.untilRunning('pipe');
    const { config } = await askedFor('pipe');
    expect(config.mounts[0]).toMatchObject({ containerPath: path, hostPath: path });
  });

  test('a pod that asks for what only Linux has is refused', async () => {
    await pods.runScript('privileged', SLEEP, {}, { securityContext: { privileged: true } });
    await pods.untilStatus('privileged', {
      phase: 'Failed',
      reason: 'UnsupportedField',
      message: 'The field "spec.containers[0].securityContext.privileged" is not supported on Windows.',
    });
  });

  test('a pod for another system is refused', async () => {
    await pods.runScript('linux-pod', SLEEP, { os: { name: 'linux' } });
    await pods.untilStatus('linux-pod', { phase: 'Failed', reason: 'PodOSNotSupported' });
  });

  test('the log of a container is in the folder of logs of the node', async () => {
    await pods.runOnce('log-lines', 'echo out');
    const uid = (await pods.find('log-lines'))?.metadata.uid ?? '';
    const log = join(cloud.nodeRoot, 'var/log/pods', `default_log-lines_${uid}`, 'main/0.log');
    expect(await readFile(log, 'utf8')).toMatch(/ stdout F out\n$/);
  });
});
