import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BLANK_RECORD } from '../worker-record.ts';
import { testWorkerLayout } from '../testing/test-worker.ts';
import { chooseRuntime, runtimeSocket } from './runtime-socket.ts';

let folder = '';
const annotations = { 'kubeadm.alpha.kubernetes.io/cri-socket': 'unix:///annotated' };
const cluster = { nodeName: 'w', endpoint: 'e', server: 's', caSha256: 'c', criSocket: 'unix:///recorded' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runtime-socket-'));
});
afterAll(async () => rm(folder, { recursive: true }));

const layoutOf = (name: string) => ({
  ...testWorkerLayout,
  instanceConfig: join(folder, `${name}-instance-config.yaml`),
  flagsFile: join(folder, `${name}-flags.env`),
});

test('trap 17: a worker is known by its instance-config without an annotation, and the other way round', async () => {
  const layout = layoutOf('instance');
  expect(await runtimeSocket({ layout, record: undefined }, annotations)).toBe('unix:///annotated');
  await writeFile(layout.instanceConfig, 'containerRuntimeEndpoint: "unix:///instance"\n');
  expect(await runtimeSocket({ layout, record: undefined })).toBe('unix:///instance');
});

test('what keadm remembers is the last resort, and flags that no one understands say nothing', async () => {
  const layout = layoutOf('spoilt');
  await writeFile(layout.flagsFile, 'KUBELET_KUBEADM_ARGS="--v=2');
  expect(await runtimeSocket({ layout, record: { ...BLANK_RECORD, cluster } })).toBe('unix:///recorded');
  expect(await runtimeSocket({ layout, record: undefined })).toBeUndefined();
});

const containerd = { runtime: 'containerd', endpoint: 'unix:///run/containerd/containerd.sock' } as const;
const crio = { runtime: 'cri-o', endpoint: 'unix:///var/run/crio/crio.sock' } as const;
const docker = { runtime: 'docker', endpoint: 'unix:///var/run/docker.sock' } as const;

test('the runtime that is there is used, and Docker does not count', () => {
  expect(chooseRuntime(undefined, { os: 'linux', runtimes: [docker, crio] })).toBe(crio.endpoint);
});

test('where there is none the usual one is expected', () => {
  expect(chooseRuntime(undefined, { os: 'windows', runtimes: [] })).toBe('npipe:////./pipe/containerd-containerd');
});

test('of several the operator has to choose', () => {
  expect(() => chooseRuntime(undefined, { os: 'linux', runtimes: [containerd, crio] })).toThrow(
    expect.objectContaining({ code: 'USAGE', hint: expect.stringContaining('--cri-socket') }),
  );
  expect(chooseRuntime('/run/x.sock', { os: 'linux', runtimes: [containerd, crio] })).toBe('unix:///run/x.sock');
});
