import { randomUUID } from 'node:crypto';
import { CLOUD_NAMESPACE, CLOUD_SECRETS } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { KINDS, listAt, openKubeApi, stringAt, type KubeApi, type KubeObject } from '@fenestra/kube-api';
import { cloudManifests } from './manifests/cloud-manifests.ts';
import { signJoinToken, type TokenSigner } from './sign-join-token.ts';
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
  /** A token that lets one node join, once. It is secret. */
  nodeToken(node: string, expiresAt: Date, signal: AbortSignal): Promise<string>;
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
    nodeToken: async (node, expiresAt, signal) =>
      signJoinToken(await readSigner(api, signal), { node, id: randomUUID(), expiresAt: expiresAt.getTime() }),
    nodes: async (signal) => (await api.list(KINDS.node, {}, signal)).map(viewOf),
    close: () => api.close(),
  };
}

async function readToken(api: KubeApi, signal: AbortSignal): Promise<string> {
  const { name, token } = CLOUD_SECRETS.token;
  const secret = await readSecret(api, name, signal);
  return bytesAt(secret, token).toString('utf8');
}

async function readSigner(api: KubeApi, signal: AbortSignal): Promise<TokenSigner> {
  const { name, certificate, key } = CLOUD_SECRETS.ca;
  const secret = await readSecret(api, name, signal);
  return { certificate: bytesAt(secret, certificate), tokenSecret: bytesAt(secret, key) };
}

async function readSecret(api: KubeApi, name: string, signal: AbortSignal): Promise<KubeObject> {
  const secret = await api.find(KINDS.secret, { namespace: CLOUD_NAMESPACE, name }, signal);
  if (secret !== undefined) return secret;
  throw new OperatorError('API_NOT_FOUND', `Cannot find "${name}": no cloudcore has made it yet`, {
    hint: 'Start the cloud with "keadm init", then try again.',
  });
}

function bytesAt(secret: KubeObject, field: string): Buffer {
  return Buffer.from(stringAt(secret, 'data', field), 'base64');
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
