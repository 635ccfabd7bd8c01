import { CLOUD_NAMESPACE, CLOUD_SECRETS } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { KINDS, listAt, openKubeApi, stringAt, type KubeApi, type KubeObject } from '@fenestra/kube-api';
import { cloudManifests } from './manifests/cloud-manifests.ts';
import { installManifests, type ManifestChange } from './manifests/install-manifests.ts';

/** A node as the cloud sees it. */
export interface NodeView {
  readonly name: string;
  readonly ready: 'True' | 'False' | 'Unknown';
  /** Why it is not ready, in the node's own words. */
  readonly reason: string;
  readonly version: string;
  readonly os: string;
}

/** What an administrator does with a cloud. */
export interface CloudAdmin {
  readonly server: string;
  /** Installs what cloudcore needs in the cluster; with `dryRun` only tells what that would be. */
  install(dryRun: boolean, signal: AbortSignal): Promise<readonly ManifestChange[]>;
  /** The token nodes join with. It is secret. */
  joinToken(signal: AbortSignal): Promise<string>;
  nodes(signal: AbortSignal): Promise<readonly NodeView[]>;
  close(): void;
}

/** Reaches a cloud by the Kubernetes API that a kubeconfig names. */
export async function openCloudAdmin(kubeconfigFile: string): Promise<CloudAdmin> {
  const api = await openKubeApi({ kubeconfigFile });
  return {
    server: api.server,
    install: async (dryRun, signal) =>
      installManifests(api, { manifests: cloudManifests({ embedded: false }), dryRun }, signal),
    joinToken: async (signal) => readToken(api, signal),
    nodes: async (signal) => (await api.list(KINDS.node, {}, signal)).map(viewOf),
    close: () => api.close(),
  };
}

async function readToken(api: KubeApi, signal: AbortSignal): Promise<string> {
  const { name, token } = CLOUD_SECRETS.token;
  const secret = await api.find(KINDS.secret, { namespace: CLOUD_NAMESPACE, name }, signal);
  const data = stringAt(secret, 'data', token);
  if (data !== '') return Buffer.from(data, 'base64').toString('utf8');
  throw new OperatorError('API_NOT_FOUND', 'Cannot find a join token: no cloudcore has made one yet', {
    hint: 'Start the cloud with "keadm init", then try again.',
  });
}

function viewOf(node: KubeObject): NodeView {
  const ready = listAt(node, 'status', 'conditions').find((condition) => stringAt(condition, 'type') === 'Ready');
  const status = stringAt(ready, 'status');
  return {
    name: node.metadata.name,
    ready: status === 'True' || status === 'False' ? status : 'Unknown',
    reason: stringAt(ready, 'message') || stringAt(ready, 'reason'),
    version: stringAt(node, 'status', 'nodeInfo', 'kubeletVersion'),
    os: stringAt(node, 'status', 'nodeInfo', 'osImage'),
  };
}
