import { writeFile } from 'node:fs/promises';
import { KINDS } from '@fenestra/kube-api';
import { parseDocument } from 'yaml';
import type { Cloud } from '../cloud/cloud.ts';
import type { EdgeNode } from '../cloud/edge-node.ts';
import { unlimited } from '../cloud/patience.ts';
import { pathOn } from '../machines/keadm-machine.ts';
import { type ReleaseName, releaseFlags } from '../releases/test-releases.ts';
import { type Answer, ask, AT_ONCE, mustDo } from './answer.ts';

/** A node and the cloud it belongs to. */
export interface Life {
  readonly cloud: Cloud;
  readonly node: EdgeNode;
}

/** Most of these machines have no container runtime, and Wine has no Containers feature. */
const NOT_HERE = ['--skip-check', 'container-runtime,features'];

/** What an administrator types to join this machine, but for the token. */
export function joinArgs({ name, network }: EdgeNode): readonly string[] {
  const { hub, https } = network.cloudPorts;
  const cloud = ['--cloudcore-ip', '127.0.0.1', '--hub-port', `${hub}`, '--certport', `${https}`];
  return ['join', ...cloud, '--edgenode-name', name, ...NOT_HERE, ...AT_ONCE];
}

/** Joins with a fresh token, which comes by the environment. */
export async function join({ cloud, node }: Life, ...more: readonly string[]): Promise<Answer> {
  return ask(node.machine, [...joinArgs(node), ...more], { KEADM_TOKEN: await cloud.token() });
}

/** What an administrator types to upgrade to a release. */
export async function upgradeArgs({ machine }: EdgeNode, release: ReleaseName): Promise<readonly string[]> {
  return ['upgrade', ...(await releaseFlags(machine, release)), ...AT_ONCE];
}

/** Upgrades to a release and returns keadm's answer. */
export async function upgrade(node: EdgeNode, release: ReleaseName, ...more: readonly string[]): Promise<Answer> {
  return ask(node.machine, [...(await upgradeArgs(node, release)), ...more]);
}

/** Takes the machine out of the cluster, on both sides. */
export async function decommission({ cloud, node }: Life): Promise<void> {
  await mustDo(node.machine, ['reset', '--force']);
  await forgetInCloud({ cloud, node });
}

/** What `kubectl delete node` does. */
export async function forgetInCloud({ cloud, node }: Life): Promise<void> {
  const found = await cloud.api.find(KINDS.node, { name: node.name }, unlimited());
  if (found !== undefined) await cloud.api.delete(KINDS.node, { name: node.name }, {}, unlimited());
}

/** Writes the node's configuration, with settings by dotted path changed, to a file beside and returns its path there. */
export async function writeConfigFile(
  node: EdgeNode,
  name: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<string> {
  const document = parseDocument(await node.readFile());
  for (const [path, value] of Object.entries(settings)) document.setIn(path.split('.'), document.createNode(value));
  const file = pathOn(node.machine, node.machine.paths.ownFolder, name);
  await writeFile(node.machine.node.hostPath(file), document.toString());
  return file;
}
