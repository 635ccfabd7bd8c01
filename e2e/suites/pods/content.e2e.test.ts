import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, KINDS } from '@fenestra/kube-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { POD_IMAGE } from '../../support/beds/test-images.ts';
import { type PodCloud, POD_NODE, startPodCloud } from '../../support/cloud/pod-cloud.ts';
import { scriptContainer, SLEEP, type TestPods, testPods } from '../../support/cloud/test-pods.ts';
import { isShortRun } from '../../support/reporting/short-run.ts';

const { signal } = new AbortController();

function objectOf(kind: string, name: string): JsonObject {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'default' } };
}

describe.skipIf(isShortRun())('what the containers of pods find', () => {
  let cloud: PodCloud;
  let pods: TestPods;
  beforeAll(async () => {
    cloud = await startPodCloud(signal);
    pods = testPods(cloud);
    await cloud.api.create(
      KINDS.configMap,
      {
        ...objectOf('ConfigMap', 'config'),
        data: { greeting: 'hello', other: 'from config' },
        binaryData: { bytes: Buffer.from([0, 255, 10]).toString('base64') },
      },
      signal,
    );
    const data = { password: Buffer.from('a secret').toString('base64') };
    await cloud.api.create(KINDS.secret, { ...objectOf('Secret', 'secrets'), type: 'Opaque', data }, signal);
  });
  afterAll(async () => cloud?.stop());

  test('variables come from every source, in their order, and references to others are expanded', async () => {
    const optional = { name: 'absent', optional: true };
    const text = await pods.runOnce(
      'variables',
      'env | sort',
      { serviceAccountName: 'default' },
      {
        resources: { requests: { cpu: '100m', memory: '16Mi' }, limits: { memory: '64Mi' } },
        envFrom: [
          { configMapRef: { name: 'config' } },
          { prefix: 'S_', secretRef: { name: 'secrets' } },
          { configMapRef: optional },
        ],
        env: [
          { name: 'other', value: 'own value' },
          { name: 'KEY', valueFrom: { configMapKeyRef: { name: 'config', key: 'greeting' } } },
          { name: 'SECRET', valueFrom: { secretKeyRef: { name: 'secrets', key: 'password' } } },
          { name: 'ABSENT', valueFrom: { configMapKeyRef: { ...optional, key: 'x' } } },
          { name: 'EXPANDED', value: '$(KEY) $$(KEY) $(LATER) $(NEVER)' },
          { name: 'LATER', value: 'later' },
          { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
          { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
          { name: 'MEMORY', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1Mi' } } },
          { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'requests.cpu', divisor: '1m' } } },
        ],
      },
    );
    const variables = Object.fromEntries(text.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)));
    expect(variables).toMatchObject({
      greeting: 'hello',
      other: 'own value',
      S_password: 'a secret',
      KEY: 'hello',
      SECRET: 'a secret',
      EXPANDED: 'hello $(KEY) $(LATER) $(NEVER)',
      POD: 'variables',
      NODE: POD_NODE,
      POD_IP: expect.stringMatching(/^10\.88\.0\.\d+$/),
      MEMORY: '64',
      CPU: '100',
    });
    expect(variables).not.toHaveProperty('ABSENT');
  });

  test('a pod waits for an object that a variable needs, and says which', async () => {
    const env = [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'late', key: 'x' } } }];
    await pods.runScript('waiting', 'echo "$X"', { restartPolicy: 'Never' }, { env });
    const waiting = { reason: 'CreateContainerConfigError', message: expect.stringContaining('late') };
    await pods.untilStatus('waiting', { phase: 'Pending', containerStatuses: [{ state: { waiting } }] });
    await cloud.api.create(KINDS.configMap, { ...objectOf('ConfigMap', 'late'), data: { x: 'there' } }, signal);
    expect(await pods.resultOf('waiting')).toBe('there');
  });

  test.each([
    ['command', { command: ['/bin/echo', 'own command'] }, 'own command'],
    ['args', { args: ['/bin/echo', 'own arguments'] }, 'own arguments'],
    ['both', { command: ['/bin/echo', '$(A)'], args: ['$$(A)', '$(B)', 'c'] }, 'a $(A) $(B) c'],
  ])('the %s of a container replace those of its image', async (name, container, output) => {
    const env = [{ name: 'A', value: 'a' }];
    await pods.create(`replaced-${name}`, {
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: POD_IMAGE, env, ...container }],
    });
    expect(await pods.resultOf(`replaced-${name}`)).toBe(output);
  });

  test('without command and arguments the image says what runs', async () => {
    await pods.create('image-command', { containers: [{ name: 'main', image: POD_IMAGE, workingDir: '/tmp' }] });
    await pods.untilRunning('image-command');
    expect(await pods.exec('image-command', 'tr "\\0" " " < /proc/1/cmdline; readlink /proc/1/cwd')).toMatch(
      /trap "exit 0" TERM.*\/tmp/s,
    );
  });

  test('an emptyDir is shared by the containers, survives their restarts and goes with the pod', async () => {
    const volumeMounts = [{ name: 'shared', mountPath: '/shared' }];
    await pods.create('sharing', {
      volumes: [{ name: 'shared', emptyDir: {} }],
      containers: [
        scriptContainer('main', `echo start >> /shared/starts; ${SLEEP}`, { volumeMounts }),
        scriptContainer('reader', SLEEP, { volumeMounts: [{ ...volumeMounts[0], readOnly: true }] }),
      ],
    });
    const { metadata } = await pods.untilRunning('sharing');
    await pods.exec('sharing', 'kill 1');
    await pods.untilStatus('sharing', { containerStatuses: [{ name: 'main', restartCount: 1, ready: true }, {}] });
    expect(await pods.exec('sharing', 'cat /shared/starts; stat -c %a /shared', 'reader')).toBe('start\nstart\n777\n');
    await expect(pods.exec('sharing', 'touch /shared/x', 'reader')).rejects.toThrow('Read-only');
    await pods.delete('sharing', 1);
    await pods.untilGone('sharing');
    const folder = join(cloud.nodeRoot, 'var/lib/kubelet/pods', metadata.uid ?? '');
    await expect.poll(async () => cloud.run(['sh', '-c', `[ -e ${folder} ] || echo gone`])).toBe('gone\n');
  });

  test('an emptyDir in memory is a tmpfs of its size', async () => {
    const volumes = [{ name: 'fast', emptyDir: { medium: 'Memory', sizeLimit: '4Mi' } }];
    const container = { volumeMounts: [{ name: 'fast', mountPath: '/fast' }] };
    expect(await pods.runOnce('fast', 'grep " /fast " /proc/mounts', { volumes }, container)).toMatch(
      /^tmpfs .*size=4096k/,
    );
  });

  test.each([
    ['', 'new', true],
    ['DirectoryOrCreate', 'made', true],
    ['Directory', 'folder', true],
    ['Directory', 'file', false],
    ['Directory', 'nothing', false],
    ['FileOrCreate', 'made-file', true],
    ['File', 'file', true],
    ['File', 'folder', false],
    ['Socket', 'file', false],
    ['CharDevice', '/dev/null', true],
    ['BlockDevice', '/dev/null', false],
  ])('a hostPath of type "%s" at "%s" can be had: %s', async (type, path, isFine) => {
    const base = join(cloud.runtime.folder, 'host');
    await mkdir(join(base, 'folder'), { recursive: true });
    await writeFile(join(base, 'file'), '');
    const name = `host-path-${type.toLowerCase()}-${path.replaceAll(/[^a-z]/g, '')}`.replace('--', '-');
    const volumes = [{ name: 'host', hostPath: { path: path.startsWith('/') ? path : join(base, path), type } }];
    const mounts = { volumeMounts: [{ name: 'host', mountPath: '/host' }] };
    if (isFine) return expect(await pods.runOnce(name, 'ls -d /host', { volumes }, mounts)).toBe('/host');
    await pods.runScript(name, SLEEP, { volumes }, mounts);
    await expect.poll(async () => cloud.agentLog()).toMatch(new RegExp(`default/${name}".*hostPath type check failed`));
    await pods.untilStatus(name, { phase: 'Pending' });
    await pods.delete(name);
  });

  test('configMap and secret volumes have the files, modes and items that the pod asks for', async () => {
    const volumes = [
      { name: 'all', configMap: { name: 'config' } },
      {
        name: 'some',
        configMap: { name: 'config', defaultMode: 0o400, items: [{ key: 'greeting', path: 'a/b', mode: 0o440 }] },
      },
      { name: 'secret', secret: { secretName: 'secrets', defaultMode: 0o600 } },
      { name: 'optional', configMap: { name: 'absent', optional: true } },
    ];
    const volumeMounts = volumes.map(({ name }) => ({ name, mountPath: `/${name}` }));
    const script = `cd /; for file in all/* some/a/* secret/*; do echo "$file $(stat -L -c %a $file)"; done
od -An -tx1 all/bytes; cat some/a/b; echo; cat secret/password; echo; ls optional; touch all/x 2>&1 | grep -o Read-only
grep -c "^tmpfs /secret " /proc/mounts`;
    const output = await pods.runOnce('volumes', script, { volumes }, { volumeMounts });
    expect(output.split('\n')).toEqual([
      'all/bytes 644',
      'all/greeting 644',
      'all/other 644',
      'some/a/b 440',
      'secret/password 600',
      ' 00 ff 0a',
      'hello',
      'a secret',
      'Read-only',
      '1',
    ]);
  });

  test('a pod waits for the object of a volume', async () => {
    const volumes = [{ name: 'late', configMap: { name: 'late-volume' } }];
    const container = { volumeMounts: [{ name: 'late', mountPath: '/late' }] };
    await pods.runScript('late-volume', 'cat /late/x', { volumes, restartPolicy: 'Never' }, container);
    await expect.poll(async () => cloud.agentLog()).toMatch(/default\/late-volume".*is not ready/);
    await cloud.api.create(KINDS.configMap, { ...objectOf('ConfigMap', 'late-volume'), data: { x: 'there' } }, signal);
    expect(await pods.resultOf('late-volume')).toBe('there');
  });

  test('the log of a container is one of a kubelet: time, stream, tag and text', async () => {
    await pods.runOnce('log-lines', 'echo out; echo err >&2; sleep 0.1; printf unfinished');
    const uid = (await pods.find('log-lines'))?.metadata.uid ?? '';
    const log = join(cloud.nodeRoot, 'var/log/pods', `default_log-lines_${uid}`, 'main/0.log');
    const time = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(?:Z|[+-]\d\d:\d\d)`;
    const lines = (await readFile(log, 'utf8'))
      .trimEnd()
      .split('\n')
      .toSorted((a, b) => a.length - b.length);
    expect(lines.some((line) => new RegExp(`${time} stdout F out$`).test(line))).toBe(true);
    expect(lines.some((line) => new RegExp(`${time} stderr F err$`).test(line))).toBe(true);
    expect(lines.some((line) => new RegExp(`${time} stdout P unfinished$`).test(line))).toBe(true);
  });
});
