/**
 * A real Kubernetes that has all that `kubeadm init` leaves in a cluster: nodes can join it the kubeadm way. Its own
 * controllers sign cluster-info, clear tokens away, approve and sign certificates.
 */
import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type JsonObject, type KubeApi, openKubeApi } from '@fenestra/kube-api';
import { commandFailed } from '../command.ts';
import { kubeadmObjects, TOKEN_GROUP } from './kubeadm-objects.ts';
import { type KubernetesBed, startKubernetes } from './kubernetes-bed.ts';

/** A cluster that nodes can join. */
export interface JoinableCluster extends KubernetesBed {
  /** `127.0.0.1:PORT`. */
  readonly endpoint: string;
  /** `sha256:…` of the authority's public key. */
  readonly pin: string;
  /** The test's own access, as administrator. */
  readonly api: KubeApi;
  /** What kubectl prints, which has to succeed. */
  ask(...args: readonly string[]): Promise<string>;
  /** Creates or changes objects. */
  apply(objects: readonly JsonObject[]): Promise<void>;
  /** Makes a token, and returns it once cluster-info is signed with it, if it may be. */
  makeToken(wishes?: TokenWishes): Promise<string>;
}

/** What a token may do. */
export interface TokenWishes {
  /** Default ten minutes; nothing negative is ever signed. */
  readonly lifeSeconds?: number;
  /** Whether cluster-info is signed with it. Default yes. */
  readonly signs?: boolean;
}

/** The version of the cluster and of the kubelet that comes with it. */
export const CLUSTER_VERSION = 'v1.20.2';

const LIFE_SECONDS = 600;
const SIGNED_MS = 60_000;
const PAUSE_MS = 100;

/** Starts a cluster that nodes can join. */
export async function startJoinableCluster(signal: AbortSignal): Promise<JoinableCluster> {
  const bed = await startKubernetes(signal);
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-objects-'));
  const api = await openKubeApi({ kubeconfigFile: bed.kubeconfig });
  const stop = async (): Promise<void> => {
    api.close();
    await bed.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const caBundle = await readFile(bed.caFile, 'utf8');
    const cluster = { ...clusterOf(bed, caBundle, join(folder, 'objects.json'), signal), api, stop };
    const facts = { server: bed.server, caBundle, version: CLUSTER_VERSION, apiVersion: 'v1beta2' };
    await cluster.apply(kubeadmObjects(facts));
    return cluster;
  } catch (error) {
    await stop();
    throw error;
  }
}

function clusterOf(
  bed: KubernetesBed,
  caBundle: string,
  file: string,
  signal: AbortSignal,
): Omit<JoinableCluster, 'api'> {
  const ask: JoinableCluster['ask'] = async (...args) => {
    const result = await bed.kubectl(args);
    if (result.exitCode !== 0) throw commandFailed(`kubectl ${args.join(' ')}`, result);
    return result.stdout;
  };
  const apply: JoinableCluster['apply'] = async (items) => {
    await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }), { mode: 0o600 });
    await ask('apply', '--filename', file);
  };
  return {
    ...bed,
    endpoint: new URL(bed.server).host,
    pin: pinOf(caBundle),
    ask,
    apply,
    async makeToken({ lifeSeconds = LIFE_SECONDS, signs = true } = {}) {
      const [id, secret] = [randomBytes(3).toString('hex'), randomBytes(8).toString('hex')];
      await apply([tokenSecret(id, secret, lifeSeconds, signs)]);
      if (signs && lifeSeconds > 0) await untilSigned(ask, id, signal);
      return `${id}.${secret}`;
    },
  };
}

function pinOf(certificate: string): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}

function tokenSecret(id: string, secret: string, lifeSeconds: number, signs: boolean): JsonObject {
  const expiration = new Date(Date.now() + lifeSeconds * 1000).toISOString().replace(/\.\d+/, '');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'bootstrap.kubernetes.io/token',
    metadata: { namespace: 'kube-system', name: `bootstrap-token-${id}` },
    stringData: {
      'token-id': id,
      'token-secret': secret,
      expiration,
      'usage-bootstrap-signing': `${signs}`,
      'usage-bootstrap-authentication': 'true',
      'auth-extra-groups': TOKEN_GROUP,
    },
  };
}

async function untilSigned(ask: JoinableCluster['ask'], id: string, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + SIGNED_MS;
  const path = `jsonpath={.data.jws-kubeconfig-${id}}`;
  while ((await ask('--namespace=kube-public', 'get', 'configmap', 'cluster-info', `--output=${path}`)) === '') {
    if (Date.now() > deadline) throw new Error(`The cluster has not signed its cluster-info with token "${id}"`);
    await delay(PAUSE_MS, undefined, { signal });
  }
}
