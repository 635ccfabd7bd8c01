import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BLANK_RECORD } from '../record/worker-record.ts';
import { testWorkerLayout } from '../testing/test-worker.ts';
import { runtimeSocket } from './runtime-socket.ts';

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

test('what keadm remembers is the last resort, and flags that nobody understands say nothing', async () => {
  const layout = layoutOf('spoilt');
  await writeFile(layout.flagsFile, 'KUBELET_KUBEADM_ARGS="--v=2');
  expect(await runtimeSocket({ layout, record: { ...BLANK_RECORD, cluster } })).toBe('unix:///recorded');
  expect(await runtimeSocket({ layout, record: undefined })).toBeUndefined();
});
