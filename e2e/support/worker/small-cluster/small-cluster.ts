/**
 * A cluster for nodes to join that needs nothing to be built: our embedded API holds its objects, and a gate before it
 * does what a real control plane's controllers and rules do for nodes that join. What it cannot show, the real one does.
 */
import { randomBytes, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pinOf } from '@fenestra/contracts/kube';
import { signatureKey, signClusterInfo } from '@fenestra/worker';
import { KINDS, openKubeApi, type JsonObject, type KubeApi, type KubeObject } from '@fenestra/kube-api';
import { startKubelite } from '@fenestra/kubelite';
import { jsonLogger } from '@fenestra/platform';
import * as z from 'zod';
import { kubeadmObjects } from '../../beds/kubernetes/kubeadm-objects.ts';
import { unlimited } from '../../cloud/patience.ts';
import type { TestCluster } from '../site/worker-cluster.ts';
import { openGate } from './gate.ts';

/** What the cluster says to a node's request for its first certificate. */
export type Verdict = 'approve' | 'deny' | 'silence';

/** The small cluster, and what can be made to go wrong in it. */
export interface SmallCluster extends TestCluster {
  /** What becomes of requests from now on. */
  decide(verdict: Verdict): void;
  /** Changes the texts of cluster-info; called for every answer with its number, beginning with 1. */
  tamper(change: ((texts: Texts, answer: number) => Texts) | undefined): void;
}

/** The texts of a ConfigMap. */
export type Texts = Readonly<Record<string, string>>;

/** The version the embedded API says it is. */
export const SMALL_CLUSTER_VERSION = 'v1.32.0';

const KeyPair = z.object({ certificate: z.string(), key: z.string() });
const Identity = z.object({ ca: KeyPair, serving: KeyPair, admin: KeyPair });
const CONFIG_MAPS = ['cluster-info', 'kubeadm-config', 'kubelet-config'];

/** Starts it on free ports of the loopback. */
export async function startSmallCluster(signal: AbortSignal): Promise<SmallCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-small-cluster-'));
  const log = jsonLogger(
    () => undefined,
    'error',
    () => new Date(),
  );
  const where = { folder: join(folder, 'data'), address: '127.0.0.1', port: 0 };
  const kubelite = await startKubelite({ ...where, log, now: () => new Date() }, signal);
  const identity = Identity.parse(JSON.parse(await readFile(join(where.folder, 'identity.json'), 'utf8')));
  const api = await openKubeApi({ kubeconfig: kubelite.adminKubeconfig });

  const tokens = new Map<string, number>();
  let verdict: Verdict = 'approve';
  let tampering: Parameters<SmallCluster['tamper']>[0];
  let answers = 0;
  const clusterInfo = async (): Promise<JsonObject> => {
    const found = await api.get(KINDS.configMap, { namespace: 'kube-public', name: 'cluster-info' }, unlimited());
    const texts = z.record(z.string(), z.string()).parse(found['data']);
    answers += 1;
    return { ...found, data: tampering?.(signed(texts, tokens), answers) ?? signed(texts, tokens) };
  };
  const gate = await openGate({
    identity,
    upstream: kubelite.url,
    clusterInfo,
    isToken: (token) => (tokens.get(token) ?? 0) > Date.now(),
    onRequest: async (name) => settle(api, name, verdict),
  });
  const kubeconfig = join(folder, 'admin.yaml');
  // Nodes reach nothing but the gate.
  const throughGate = kubelite.adminKubeconfig.replaceAll(kubelite.url, `https://${gate.endpoint}`);
  await writeFile(kubeconfig, throughGate, { mode: 0o600 });
  await addObjects(api, { server: `https://${gate.endpoint}`, caBundle: identity.ca.certificate });
  return {
    endpoint: gate.endpoint,
    pin: pinOf(new X509Certificate(identity.ca.certificate).toString()),
    kubeconfig,
    api,
    decide: (wanted) => (verdict = wanted),
    tamper(change) {
      tampering = change;
      answers = 0;
    },
    async makeToken({ lifeSeconds = 600 } = {}) {
      const token = `${randomBytes(3).toString('hex')}.${randomBytes(8).toString('hex')}`;
      tokens.set(token, Date.now() + lifeSeconds * 1000);
      return token;
    },
    async stop() {
      await gate.close();
      api.close();
      await kubelite.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What the bootstrap signer does: the kubeconfig signed with every token that still counts. */
function signed(texts: Texts, tokens: ReadonlyMap<string, number>): Texts {
  const alive = [...tokens].filter(([, end]) => end > Date.now()).map(([token]) => token.split('.'));
  const signatures = alive.map(([id = '', secret = '']) => [
    signatureKey({ id, secret }),
    signClusterInfo(texts['kubeconfig'] ?? '', { id, secret }),
  ]);
  return { ...texts, ...Object.fromEntries(signatures) };
}

/** The embedded API has its rules, so only what nodes read is put into it. */
async function addObjects(api: KubeApi, cluster: { server: string; caBundle: string }): Promise<void> {
  await ensureNamespace(api, 'kube-public');
  for (const object of kubeadmObjects({ ...cluster, version: SMALL_CLUSTER_VERSION, apiVersion: 'v1beta4' })) {
    const { metadata } = z.looseObject({ metadata: z.object({ name: z.string() }) }).parse(object);
    if (object['kind'] !== 'ConfigMap' || !CONFIG_MAPS.includes(metadata.name)) continue;
    await api.create(KINDS.configMap, object, unlimited());
  }
}

async function ensureNamespace(api: KubeApi, name: string): Promise<void> {
  if ((await api.find(KINDS.namespace, { name }, unlimited())) !== undefined) return;
  await api.create(KINDS.namespace, { metadata: { name } }, unlimited());
}

/** What the approver does, or an administrator. */
async function settle(api: KubeApi, name: string, verdict: Verdict): Promise<void> {
  if (verdict === 'silence') return;
  const type = verdict === 'approve' ? 'Approved' : 'Denied';
  const request: KubeObject = await api.get(KINDS.certificateSigningRequest, { name }, unlimited());
  const conditions = [{ type, status: 'True', reason: 'Test', message: `${type} by the test` }];
  const body = { metadata: { resourceVersion: request.metadata.resourceVersion ?? '' }, status: { conditions } };
  const patch = { type: 'merge', body, subresource: 'approval' } as const;
  await api.patch(KINDS.certificateSigningRequest, { name }, patch, unlimited());
}
