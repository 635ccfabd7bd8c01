import { copyFile } from 'node:fs/promises';
import { KINDS } from '@fenestra/kube-api';
import { unlimited } from '../cloud/patience.ts';
import { type Answer, ask, AT_ONCE } from '../lifecycle/answer.ts';
import { pathOn } from '../machines/keadm-machine.ts';
import { versionIn, type WorkerSite } from './site/worker-site.ts';

/** What an administrator types to make this machine a worker, but for the token. */
export function joinArgs(site: WorkerSite, release = site.releases.first): readonly string[] {
  const { cluster, waived } = site;
  const checks = waived.length === 0 ? [] : ['--skip-check', waived.join(',')];
  const trust = ['--discovery-token-ca-cert-hash', cluster.pin];
  return ['kube', 'join', cluster.endpoint, ...trust, ...releaseArgs(site, release), ...checks, ...AT_ONCE];
}

/** Joins with a fresh token, which comes by the environment. */
export async function join(site: WorkerSite, ...more: readonly string[]): Promise<Answer> {
  return joinWith(site, await site.cluster.makeToken(), ...more);
}

/** Joins with this token. */
export async function joinWith(site: WorkerSite, token: string, ...more: readonly string[]): Promise<Answer> {
  return ask(site.machine, [...joinArgs(site), ...more], { KEADM_TOKEN: token });
}

/** What an administrator types to upgrade the worker to a release. */
export function upgradeArgs(site: WorkerSite, release: string): readonly string[] {
  const checks = site.waived.includes('container-runtime') ? ['--skip-check', 'container-runtime'] : [];
  return ['kube', 'upgrade', ...releaseArgs(site, release), ...checks, ...AT_ONCE];
}

/** Upgrades to a release and returns keadm's answer. */
export async function upgrade(site: WorkerSite, release: string, ...more: readonly string[]): Promise<Answer> {
  return ask(site.machine, [...upgradeArgs(site, release), ...more]);
}

/** What an administrator types to take the worker out of its cluster, on both sides. */
export async function resetArgs(site: WorkerSite): Promise<readonly string[]> {
  return ['kube', 'reset', '--force', '--kubeconfig', await adminKubeconfig(site)];
}

/** Takes the worker out of its cluster. */
export async function reset(site: WorkerSite): Promise<Answer> {
  return ask(site.machine, await resetArgs(site));
}

/** What `kubectl delete node` does. */
export async function forgetInCluster({ cluster, machine }: WorkerSite): Promise<void> {
  const name = { name: machine.node.name };
  const found = await cluster.api.find(KINDS.node, name, unlimited());
  if (found !== undefined) await cluster.api.delete(KINDS.node, name, {}, unlimited());
}

/** Puts the administrator's kubeconfig on the machine, among the administrator's own files, and returns its path there. */
async function adminKubeconfig({ cluster, machine }: WorkerSite): Promise<string> {
  const file = pathOn(machine, machine.paths.ownFolder, 'admin.kubeconfig');
  await copyFile(cluster.kubeconfig, machine.node.hostPath(file));
  return file;
}

/** How an administrator names a release. */
export function releaseArgs(site: WorkerSite, release: string): readonly string[] {
  return ['--version', versionIn(site, release), '--from', site.machine.nameOf(site.source.of(release))];
}
