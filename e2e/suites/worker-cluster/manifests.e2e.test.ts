import { rm, writeFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { objectAt, type JsonObject, type KubeObject } from '@fenestra/kube-api';
import { openManifestCluster, type ManifestCluster } from '@fenestra/worker/manifests/apply';
import { manifestsYaml, readRequest, windowsManifests, type GivenRequest } from '@fenestra/worker/manifests';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startKubernetes, type KubernetesBed } from '../../support/beds/kubernetes/kubernetes-bed.ts';
import { unlimited } from '../../support/cloud/patience.ts';

/**
 * The manifests for Windows nodes, judged by a real API server. It is of 1.20, which is before HostProcess pods: so the
 * historic set goes through as a whole, and the other one once that single field is taken out.
 */
let kubernetes: KubernetesBed;
let cluster: ManifestCluster;
let folder: string;

beforeAll(async () => {
  kubernetes = await startKubernetes(unlimited());
  cluster = await openManifestCluster(kubernetes.kubeconfig);
  folder = await mkdtemp(join(tmpdir(), 'fenestra-manifests-'));
});
afterAll(async () => {
  cluster.close();
  await kubernetes.stop();
  await rm(folder, { recursive: true, force: true });
});

/** What the server is; as it was built, it does not say so itself. */
const SERVER = '1.20';

const GIVEN: GivenRequest = {
  version: undefined,
  network: 'flannel-overlay',
  hnsNetwork: undefined,
  images: [],
  serviceSubnet: undefined,
  podSubnet: undefined,
  apiServer: '10.0.0.5:6443',
  policies: false,
  wins: false,
};

function objectsFor(given: Partial<GivenRequest>): readonly KubeObject[] {
  return windowsManifests(readRequest({ ...GIVEN, ...given })).objects;
}

async function actions(objects: readonly KubeObject[], dryRun: boolean): Promise<readonly string[]> {
  return (await cluster.apply(objects, dryRun, unlimited())).map(({ action }) => action);
}

test.each(['flannel-overlay', 'flannel-host-gateway', 'none'])(
  'the server takes the historic set for %s',
  async (network) => {
    const objects = objectsFor({ version: SERVER, network, wins: true, policies: true });
    expect(new Set(await actions(objects, true))).toEqual(new Set(['created']));
    expect((await kubernetes.kubectl(['get', 'namespace', 'kube-proxy-windows'])).exitCode).not.toBe(0);
  },
);

test('the server finds the one field that it does not know', async () => {
  const pods = objectsFor({ version: '1.33' }).filter(({ kind }) => kind === 'DaemonSet');
  await expect(actions(pods, true)).rejects.toMatchObject({
    cause: expect.objectContaining({ message: expect.stringMatching(/hostProcess|\.os/) }),
  });
});

test.each(['flannel-overlay', 'flannel-host-gateway'])(
  'without that field the server takes the whole set for %s',
  async (network) => {
    const objects = objectsFor({ version: '1.23', network }).map(withoutHostProcess);
    expect(new Set(await actions(objects, true))).toEqual(new Set(['created']));
  },
);

function withoutHostProcess(object: KubeObject): KubeObject {
  if (object.kind !== 'DaemonSet') return object;
  const { hostProcess: _, ...windowsOptions } = objectAt(
    object,
    'spec',
    'template',
    'spec',
    'securityContext',
    'windowsOptions',
  );
  const pod = objectAt(object, 'spec', 'template', 'spec');
  const template: JsonObject = {
    ...objectAt(object, 'spec', 'template'),
    spec: { ...pod, securityContext: { windowsOptions } },
  };
  return { ...object, spec: { ...objectAt(object, 'spec'), template } };
}

test('what is applied is there, again changes nothing, and another image changes its pods alone', async () => {
  const objects = objectsFor({ version: SERVER, wins: true });
  expect(new Set(await actions(objects, false))).toEqual(new Set(['created']));
  expect(new Set(await actions(objects, false))).toEqual(new Set(['unchanged']));
  const other = objectsFor({ version: SERVER, wins: true, images: ['flannel=registry.example/flannel:v1'] });
  const updated = (await cluster.apply(other, false, unlimited())).filter(({ action }) => action === 'updated');
  expect(updated).toEqual([
    { action: 'updated', kind: 'DaemonSet', name: 'kube-flannel-windows', namespace: 'kube-flannel-windows' },
  ]);
});

test("kubectl takes what is printed, and has the server's word for it", async () => {
  const request = readRequest({ ...GIVEN, version: SERVER, wins: true });
  const file = join(folder, 'manifests.yaml');
  await writeFile(file, manifestsYaml(request, windowsManifests(request)));
  const { exitCode, stdout, stderr } = await kubernetes.kubectl(['apply', '--dry-run=server', '-f', file]);
  expect({ exitCode, stderr: stderr.replaceAll(/^Warning: .*\n/gm, '') }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout.match(/server dry run/g)).toHaveLength(windowsManifests(request).objects.length);
});
