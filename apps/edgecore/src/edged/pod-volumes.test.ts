import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@fenestra/kernel';
import {
  containerEnvironment,
  configMapData,
  type Pod,
  podProblemText,
  readPod,
  secretData,
  type VolumeFacts,
} from '@fenestra/pods';
import { linuxPodHost } from '@fenestra/platform-linux';
import { expect, onTestFinished, test } from 'vitest';
import { containerMounts, type ReadyMount } from './container-mounts.ts';
import { prepareVolumes, type ReadyVolumes } from './pod-volumes.ts';

// Volumes are mounted and given to groups here: other accounts than root can show none of it.
const asRoot = test.skipIf(process.getuid?.() !== 0);
const host = linuxPodHost();
const { signal } = new AbortController();
const GROUP = 4321;
const MAIN = { name: 'main', image: 'a' };

const facts: VolumeFacts = {
  configMaps: new Map([['settings', configMapData({ data: { color: 'red' } })]]),
  secrets: new Map([['keys', secretData({ data: { password: 'c2VjcmV0' } })]]),
  podIps: [],
  hostIps: [],
  allocatable: {},
  tokens: new Map([['["",3600]', 'the-token']]),
  claims: new Map(),
};

function podWith(spec: JsonObject): Pod {
  const metadata = { name: 'web', namespace: 'default', uid: 'uid-1' };
  const reading = readPod({ metadata, spec: { containers: [MAIN], ...spec } });
  if ('pod' in reading) return reading.pod;
  throw new Error(reading.problems.map(podProblemText).join());
}

function podFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fenestra-volumes-'));
  onTestFinished(async () => host.removeFolder(folder, signal));
  return folder;
}

async function prepared(spec: JsonObject, folder = podFolder(), known = facts): Promise<ReadyVolumes> {
  return prepareVolumes(podWith(spec), folder, known, host, signal);
}

function pathOf({ paths }: ReadyVolumes, volume: string): string {
  return paths.get(volume) ?? '';
}

async function rightsOf(path: string): Promise<string> {
  const { mode, uid, gid } = await stat(path);
  return `${(mode & 0o7777).toString(8)} ${uid}:${gid}`;
}

const FILE_VOLUMES = [
  { name: 'settings', configMap: { name: 'settings' } },
  { name: 'keys', secret: { secretName: 'keys', defaultMode: 0o400 } },
  { name: 'labels', downwardAPI: { items: [{ path: 'in/name', fieldRef: { fieldPath: 'metadata.name' } }] } },
  { name: 'token', projected: { sources: [{ serviceAccountToken: { path: 'token', expirationSeconds: 3600 } }] } },
];

asRoot('what is left of attempts that failed goes before the next one, which may need the room', async () => {
  const folder = podFolder();
  const volume = join(folder, 'volumes/kubernetes.io~configmap/settings');
  await host.createMemoryFolder({ path: volume, mode: 0o755, sizeBytes: 64 * 1024 }, signal);
  await mkdir(join(volume, '..left'));
  await writeFile(join(volume, '..left/color'), Buffer.alloc(40 * 1024));
  const configMaps = new Map([['settings', configMapData({ data: { color: 'x'.repeat(40 * 1024) } })]]);
  const ready = await prepared({ volumes: FILE_VOLUMES.slice(0, 1) }, folder, { ...facts, configMaps });
  expect(await readFile(join(pathOf(ready, 'settings'), 'color'), 'utf8')).toHaveLength(40 * 1024);
});

asRoot('secrets, tokens and pod fields are in memory and nowhere else, settings on the disk', async () => {
  const folder = podFolder();
  const ready = await prepared({ volumes: FILE_VOLUMES }, folder);
  const disk = (await stat(folder)).dev;
  const onDisk = await Promise.all(
    FILE_VOLUMES.map(async ({ name }) => (await stat(pathOf(ready, name))).dev === disk),
  );
  expect(onDisk).toEqual([true, false, false, false]);
  await host.removeFolder(join(folder, 'volumes'), signal);
  expect(await readdir(folder)).toEqual([]);
});

asRoot('the group of a pod reads all of its files', async () => {
  const ready = await prepared({ volumes: FILE_VOLUMES, securityContext: { fsGroup: GROUP, runAsUser: 1000 } });
  expect(await rightsOf(join(pathOf(ready, 'settings'), 'color'))).toBe(`644 0:${GROUP}`);
  expect(await rightsOf(join(pathOf(ready, 'keys'), 'password'))).toBe(`440 0:${GROUP}`);
  expect(await rightsOf(join(pathOf(ready, 'labels'), 'in', 'name'))).toBe(`644 0:${GROUP}`);
  expect(await rightsOf(join(pathOf(ready, 'labels'), 'in'))).toBe(`2755 0:${GROUP}`);
  expect(await rightsOf(pathOf(ready, 'keys'))).toBe(`2755 0:${GROUP}`);
  expect(await rightsOf(join(pathOf(ready, 'token'), 'token'))).toBe(`640 1000:${GROUP}`);
});

asRoot('a token belongs to the one user of its pod, and any user reads it if there are more', async () => {
  const one = await prepared({ volumes: FILE_VOLUMES, securityContext: { runAsUser: 1000 } });
  expect(await rightsOf(join(pathOf(one, 'token'), 'token'))).toBe('600 1000:0');
  const any = await prepared({ volumes: FILE_VOLUMES });
  expect(await rightsOf(join(pathOf(any, 'token'), 'token'))).toBe('644 0:0');
});

asRoot('files that are as they should be are not written again', async () => {
  const folder = podFolder();
  const spec = { volumes: FILE_VOLUMES, securityContext: { fsGroup: GROUP } };
  const version = async () => readdir(pathOf(await prepared(spec, folder), 'keys'));
  expect(await version()).toEqual(await version());
});

asRoot.each([
  ['disk', {}],
  ['memory', { medium: 'Memory', sizeLimit: '1Mi' }],
])('an emptyDir on the %s keeps what containers made of it', async (_, emptyDir) => {
  const folder = podFolder();
  const spec = { volumes: [{ name: 'data', emptyDir }], securityContext: { fsGroup: GROUP } };
  const path = pathOf(await prepared(spec, folder), 'data');
  expect(await rightsOf(path)).toBe(`2777 0:${GROUP}`);
  await chmod(path, 0o700);
  await writeFile(join(path, 'file'), 'kept');
  expect(pathOf(await prepared(spec, folder), 'data')).toBe(path);
  expect(await rightsOf(path)).toBe(`700 0:${GROUP}`);
  expect(await readFile(join(path, 'file'), 'utf8')).toBe('kept');
});

asRoot('folders and files for a hostPath have their modes whatever the umask is', async () => {
  const folder = podFolder();
  const [made, file] = [join(folder, 'made'), join(folder, 'file')];
  const umask = process.umask(0o077);
  onTestFinished(() => void process.umask(umask));
  const volumes = [
    { name: 'made', hostPath: { path: made, type: 'DirectoryOrCreate' } },
    { name: 'file', hostPath: { path: file, type: 'FileOrCreate' } },
  ];
  await prepared({ volumes }, folder);
  expect([await rightsOf(made), await rightsOf(file)]).toEqual(['755 0:0', '644 0:0']);
});

async function mountsOf(volumeMount: JsonObject, folder: string, volume: JsonObject): Promise<readonly ReadyMount[]> {
  const container = { ...MAIN, env: [{ name: 'POD', value: 'web-0' }], volumeMounts: [volumeMount] };
  const pod = podWith({ containers: [container], volumes: [{ name: 'data', ...volume }] });
  const volumes = await prepareVolumes(pod, folder, facts, host, signal);
  const [main] = pod.spec.containers;
  if (main === undefined) throw new Error('no container');
  const environment = containerEnvironment(pod, main, { ...facts, services: new Map() });
  return containerMounts(main, { os: 'linux', host, podFolder: folder, volumes, environment }, signal);
}

asRoot('a container gets a part of a volume, by a name that may hold variables', async () => {
  const folder = podFolder();
  const mount = { name: 'data', mountPath: '/logs', subPathExpr: 'logs/$(POD)' };
  const [ready] = await mountsOf(mount, folder, { emptyDir: {} });
  expect(ready?.hostPath).toBe(join(folder, 'volume-subpaths/data/main/0'));
  await writeFile(join(ready?.hostPath ?? '', 'log'), 'line');
  const written = join(folder, 'volumes/kubernetes.io~empty-dir/data/logs/web-0/log');
  expect(await readFile(written, 'utf8')).toBe('line');
  expect(await rightsOf(join(written, '..'))).toBe('777 0:0');
});

asRoot('a container gets one file of a ConfigMap, and none that it does not have', async () => {
  const folder = podFolder();
  const volume = { configMap: { name: 'settings' } };
  const mount = { name: 'data', mountPath: '/color', subPath: 'color' };
  const [ready] = await mountsOf(mount, folder, volume);
  expect(await readFile(ready?.hostPath ?? '', 'utf8')).toBe('red');
  await expect(mountsOf({ ...mount, subPath: 'size' }, folder, volume)).rejects.toMatchObject({
    reason: 'CreateContainerConfigError',
  });
});

asRoot('a link to the root of the machine that a container planted does not start another', async () => {
  const folder = podFolder();
  const data = join(folder, 'volumes/kubernetes.io~empty-dir/data');
  await mkdir(data, { recursive: true });
  await symlink('/', join(data, 'planted'));
  for (const subPath of ['planted', 'planted/etc']) {
    const mount = { name: 'data', mountPath: '/machine', subPath };
    await expect(mountsOf(mount, folder, { emptyDir: {} })).rejects.toMatchObject({
      reason: 'CreateContainerConfigError',
      message: expect.stringContaining('leads out of the volume'),
    });
  }
});

function asNobody(file: string): string {
  const account = ['--reuid=65534', '--regid=65534', '--clear-groups'];
  return String(execFileSync('setpriv', [...account, 'cat', file], { stdio: 'pipe' }));
}

asRoot('every user of a container reads its secrets, and no other account of the machine does', async () => {
  const root = podFolder();
  const folder = join(root, 'pods', 'uid-1');
  await mkdir(folder, { recursive: true });
  await chmod(root, 0o755);
  await chmod(join(root, 'pods'), 0o750);
  const path = pathOf(await prepared({ volumes: [{ name: 'keys', secret: { secretName: 'keys' } }] }, folder), 'keys');
  expect(() => asNobody(join(path, 'password'))).toThrow('Permission denied');
  const shown = join(root, 'shown');
  await host.openVolumePart({ volume: path, path: '.', target: shown, create: false }, signal);
  expect(asNobody(join(shown, 'password'))).toBe('secret');
  await host.removeFolder(shown, signal);
});
