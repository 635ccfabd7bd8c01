import { randomUUID } from 'node:crypto';
import {
  CLOUD_NAMESPACE,
  CLOUD_SECRETS,
  DAMAGED_OBJECTS_PATH,
  readDamagedObjects,
  type DamagedObject,
  type Revocation,
  composeJoinToken,
  JOIN_TOKEN_ALGORITHM,
  jwtPayload,
  type JoinClaims,
} from '@fenestra/contracts';
import { OperatorError, type ErrorCode } from '@fenestra/kernel';
import { KINDS, listAt, openKubeApi, stringAt, type KubeApi, type KubeObject } from '@fenestra/kube-api';
import { SignJWT } from 'jose';
import { kubernetesSecrets } from './kubernetes-secrets.ts';
import { cloudManifests } from './manifests/cloud-manifests.ts';
import { openNodeKeys } from './revocation/node-keys.ts';
import { openRevocations, type RevocationWish } from './revocation/revocations.ts';
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

/** A token for one node. A revoked node needs one that names its revocation. */
export interface NodeTokenWish {
  readonly node: string;
  readonly expiresAt: Date;
  readonly revocation?: string;
}

/** What an administrator does with a cloud. */
export interface CloudAdmin {
  readonly server: string;
  /** Installs what cloudcore needs in the cluster; with `dryRun` only shows what that would be. */
  install(dryRun: boolean, signal: AbortSignal): Promise<readonly ManifestChange[]>;
  /** The token nodes join with. It is secret. */
  joinToken(signal: AbortSignal): Promise<string>;
  /** A token that lets one node join, once. It is secret. */
  nodeToken(wish: NodeTokenWish, signal: AbortSignal): Promise<string>;
  /** The revoked nodes, by name. */
  revocations(signal: AbortSignal): Promise<ReadonlyMap<string, Revocation>>;
  /** Revokes every certificate and token that a node has by now. */
  revoke(node: string, wish: RevocationWish, signal: AbortSignal): Promise<void>;
  /** Forgets a revocation: the certificates that the node had are accepted again. */
  lift(node: string, signal: AbortSignal): Promise<void>;
  nodes(signal: AbortSignal): Promise<readonly NodeView[]>;
  /** Objects that the embedded API has set aside because they are damaged; none for another Kubernetes API. */
  damagedObjects(signal: AbortSignal): Promise<readonly DamagedObject[]>;
  close(): void;
}

// What another Kubernetes API, or an earlier version of ours, answers.
const NOT_EMBEDDED: ReadonlySet<ErrorCode> = new Set(['API_NOT_FOUND', 'API_FORBIDDEN', 'API_REFUSED']);

/** Reaches a cloud by the Kubernetes API that a kubeconfig names. */
export async function openCloudAdmin(kubeconfigFile: string): Promise<CloudAdmin> {
  const api = await openKubeApi({ kubeconfigFile });
  const store = kubernetesSecrets(api, CLOUD_NAMESPACE);
  const revocations = openRevocations(store);
  return {
    server: api.server,
    install: async (dryRun, signal) =>
      installManifests(api, { manifests: cloudManifests({ embedded: false }), dryRun }, signal),
    joinToken: async (signal) => readToken(api, signal),
    nodeToken: async ({ expiresAt, ...claims }, signal) =>
      signJoinToken(await readSigner(api, signal), { ...claims, id: randomUUID(), expiresAt: expiresAt.getTime() }),
    revocations: async (signal) => revocations.all(signal),
    revoke: async (node, wish, signal) => revocations.revoke(node, wish, signal),
    async lift(node, signal) {
      await revocations.lift(node, signal);
      await openNodeKeys(store).forget(node, signal);
    },
    nodes: async (signal) => (await api.list(KINDS.node, {}, signal)).map(viewOf),
    damagedObjects: async (signal) => readDamage(api, signal),
    close: () => api.close(),
  };
}

async function readDamage(api: KubeApi, signal: AbortSignal): Promise<readonly DamagedObject[]> {
  const text = await api.text(DAMAGED_OBJECTS_PATH, signal).catch((error: unknown) => {
    if (error instanceof OperatorError && NOT_EMBEDDED.has(error.code)) return '';
    throw error;
  });
  return readDamagedObjects(text) ?? [];
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
  throw new OperatorError('API_NOT_FOUND', `Cannot find "${name}": cloudcore has not created it yet`, {
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

/** What signs join tokens: the cloud's CA. */
export interface TokenSigner {
  /** The CA's certificate, DER. */
  readonly certificate: Uint8Array;
  /** The CA's private key, DER: the secret of the signature. */
  readonly tokenSecret: Uint8Array;
}

/** Makes a join token. With only a time in the claims it is upstream's; with a node and an id it serves that node once. */
export async function signJoinToken(
  signer: TokenSigner,
  claims: JoinClaims & { readonly expiresAt: number },
): Promise<string> {
  const jwt = await new SignJWT({ ...jwtPayload(claims) })
    .setProtectedHeader({ alg: JOIN_TOKEN_ALGORITHM, typ: 'JWT' })
    .sign(signer.tokenSecret);
  return composeJoinToken(signer.certificate, jwt);
}
