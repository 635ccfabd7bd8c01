import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tokenKubeconfig } from '@fenestra/worker';
import { handlerOf, type Json, type Step } from '@fenestra/kernel';
import { KINDS, openKubeApi, type KubeApi } from '@fenestra/kube-api';
import { startKubelite } from '@fenestra/kubelite';
import { silentLogger } from '@fenestra/platform';
import { linuxHost, posixAccessControl, posixFileStore, supervisedServices } from '@fenestra/platform-linux';
import { STEP_HANDLERS } from '@fenestra/steps';
import type { StepPorts } from '@fenestra/session';
import { openWorkerCluster } from '@fenestra/worker/cluster';

/** The name under which a run keeps what it asks the cluster with. */
export const CREDENTIALS = 'bootstrap-kubeconfig';

/** The bootstrap token of the cluster. */
export const TOKEN = { id: 'abcdef', secret: '0123456789abcdef' };

/** A folder, a cluster to join, and the steps of a worker's life between the two. */
export interface StepBed {
  readonly folder: string;
  readonly server: string;
  readonly caBundle: string;
  readonly admin: KubeApi;
  readonly adminKubeconfig: string;
  /** The kubeconfig of someone who has nothing but a bootstrap token. */
  readonly tokenKubeconfig: string;
  readonly ports: StepPorts;
  /** What the steps have said since it was last emptied. */
  readonly said: { readonly text: string; readonly lasting: boolean }[];
  prepare(step: Step): Promise<Json>;
  apply(step: Step, before?: Json): Promise<Json>;
  revert(step: Step, before: Json): Promise<void>;
  /** The same, with some ports replaced by others that watch them. */
  with(ports: Partial<StepPorts>): StepBed;
  close(): Promise<void>;
}

/** Opens one. `supervisorCommand` is for those whose steps look at services. */
export async function openStepBed(supervisorCommand: readonly string[] = []): Promise<StepBed> {
  const { signal } = new AbortController();
  const folder = await mkdtemp(join(tmpdir(), 'worker-steps-'));
  const where = { folder: join(folder, 'cluster'), address: '127.0.0.1', port: 0 };
  const kubelite = await startKubelite({ ...where, log: silentLogger(), now: () => new Date() }, signal);
  const admin = await openKubeApi({ kubeconfig: kubelite.adminKubeconfig });
  await createToken(admin, signal);
  const [server, caBundle] = [kubelite.url, kubelite.caCertificate];
  const token = `${TOKEN.id}.${TOKEN.secret}`;
  const kubeconfig = tokenKubeconfig({ server, caBundle, clusterName: 'kubernetes', token });
  const ports: StepPorts = {
    host: linuxHost(),
    files: posixFileStore(),
    access: posixAccessControl(),
    services: supervisedServices({ stateFolder: join(folder, 'supervisor'), supervisorCommand }),
    secrets: new Map([[CREDENTIALS, kubeconfig]]),
    openCluster: openWorkerCluster,
  };
  const said: { text: string; lasting: boolean }[] = [];
  const say = (text: string, wishes?: { readonly lasting?: boolean }): void =>
    void said.push({ text, lasting: wishes?.lasting === true });
  const bedOf = (used: StepPorts): StepBed => {
    const context = { ports: used, progress: () => {}, say };
    const prepare = async (step: Step): Promise<Json> => handlerOf(STEP_HANDLERS, step).prepare(step, context, signal);
    return {
      folder,
      server,
      caBundle,
      admin,
      ports: used,
      said,
      prepare,
      adminKubeconfig: kubelite.adminKubeconfig,
      tokenKubeconfig: kubeconfig,
      async apply(step, given) {
        const before = given ?? (await prepare(step));
        await handlerOf(STEP_HANDLERS, step).apply(step, before, context, signal);
        return before;
      },
      revert: async (step, before) => handlerOf(STEP_HANDLERS, step).revert(step, before, context, signal),
      with: (others) => bedOf({ ...used, ...others }),
      async close() {
        admin.close();
        await kubelite.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  };
  return bedOf(ports);
}

async function createToken(admin: KubeApi, signal: AbortSignal): Promise<void> {
  const data = {
    'token-id': base64(TOKEN.id),
    'token-secret': base64(TOKEN.secret),
    'usage-bootstrap-authentication': base64('true'),
    'auth-extra-groups': base64('system:bootstrappers:kubeadm:default-node-token'),
  };
  const metadata = { name: `bootstrap-token-${TOKEN.id}`, namespace: 'kube-system' };
  await admin.create(KINDS.secret, { metadata, type: 'bootstrap.kubernetes.io/token', data }, signal);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
