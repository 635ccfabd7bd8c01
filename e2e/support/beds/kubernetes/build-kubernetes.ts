import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import { type CachedFolder, cached } from '../cache.ts';
import type { Cage } from '../cage.ts';
import { buildDebianBase, type DebianBase, IN_ROOT } from '../debian-base.ts';
import { requirePackages } from '../debian-packages.ts';
import { timed } from '../progress.ts';

const DEBIAN: DebianBase = {
  release: 'bookworm',
  include: [],
  install: ['golang-1.19-go', 'dpkg-dev', 'etcd-server', 'kubernetes-client'],
};
const SCRIPT = join(import.meta.dirname, 'build-kubernetes.sh');
const BUILD_MS = 60 * 60_000;
/** What Debian's packages bring, ready to run. */
const FROM_DEBIAN = { etcd: 'usr/bin/etcd', kubectl: 'usr/bin/kubectl' } as const;

/**
 * Kubernetes v1.20.2, built once per machine from Debian's source package in its own Debian, and kept.
 * Returns the folder that holds kube-apiserver, kube-controller-manager, kube-scheduler, kubelet, kubeadm, etcd, kubectl,
 * and the kubelet under other versions and for Windows: `kubelet-VERSION`, `kubelet-VERSION.exe`.
 */
export async function prepareKubernetes(signal: AbortSignal): Promise<string> {
  await requirePackages(['debootstrap', 'util-linux', 'hostname'], signal);
  const script = await readFile(SCRIPT, 'utf8');
  const folder: CachedFolder = {
    name: 'kubernetes',
    recipe: [JSON.stringify(DEBIAN), script],
    build: async (target, stop) => buildInside(target, script, stop),
  };
  return cached(folder, signal);
}

async function buildInside(target: string, script: string, signal: AbortSignal): Promise<void> {
  const root = join(target, 'build');
  await mkdir(root);
  const build = async (cage: Cage): Promise<void> => {
    await writeFile(join(root, 'build.sh'), script);
    await timed('compiling Kubernetes, which takes a while', async () => compile(cage, root, signal));
    await cp(join(root, 'out'), target, { recursive: true });
    for (const [name, path] of Object.entries(FROM_DEBIAN)) {
      await cp(join(root, path), join(target, name), { dereference: true });
      await chmod(join(target, name), 0o755);
    }
  };
  await buildDebianBase(DEBIAN, root, build, signal);
  await rm(root, { recursive: true, force: true });
}

async function compile(cage: Cage, root: string, signal: AbortSignal): Promise<void> {
  const { exitCode, stderr } = await cage.run(
    ['nice', 'chroot', root, ...IN_ROOT, 'bash', '/build.sh'],
    { timeoutMs: BUILD_MS },
    signal,
  );
  if (exitCode === 0) return;
  throw new OperatorError('COMMAND_FAILED', "Cannot build Kubernetes from Debian's source package", {
    hint: `Read what it said: ${stderr.slice(-2000)}`,
  });
}
