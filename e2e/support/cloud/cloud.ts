import { openKubeApi, type KubeApi } from '@fenestra/kube-api';
import { linuxMachineWithoutSystemd, type KeadmMachine } from '../machines/keadm-machine.ts';
import { freePort } from '@fenestra/platform/testing/free-port';
import { kindOf, type Manifest } from './manifests.ts';
import type { CloudPorts } from './node-network.ts';
import { unlimited } from './patience.ts';

/** A running cloud: cloudcore as a service of a separate machine, and the Kubernetes API it works for. */
export interface Cloud {
  readonly ports: CloudPorts;
  /** Where it serves `/healthz` and `/metrics`. */
  readonly monitorPort: number;
  readonly machine: KeadmMachine;
  /** The test's own access, as administrator. */
  readonly api: KubeApi;
  /** The administrator's kubeconfig on the cloud's machine. */
  readonly kubeconfig: string;
  readonly keadm: (...args: readonly string[]) => Promise<string>;
  /** The token nodes join with. */
  token(): Promise<string>;
  /** Creates or changes objects, as an administrator does. */
  apply(objects: readonly Manifest[]): Promise<void>;
  /** Deletes objects without waiting for anyone. */
  remove(objects: readonly Manifest[]): Promise<void>;
  stop(): Promise<void>;
}

/** Where a cloud's Kubernetes API comes from. */
export interface ApiChoice {
  /** The options of `keadm init` for the API. */
  readonly initFlags: readonly string[];
  /** The administrator's kubeconfig on the cloud's machine. */
  readonly kubeconfig: string;
  readonly apply?: Cloud['apply'];
  readonly remove?: Cloud['remove'];
}

const EMBEDDED_KUBECONFIG = '/var/lib/kubeedge/cloud/admin.kubeconfig';

/** Starts a cloud with its own Kubernetes API. */
export async function startEmbeddedCloud(): Promise<Cloud> {
  const port = await freePort();
  const initFlags = ['--embedded', '--api-address', `127.0.0.1:${port}`];
  return startCloud(async () => ({ initFlags, kubeconfig: EMBEDDED_KUBECONFIG }));
}

/** Starts a cloud on a new machine, for the API that `choose` gets ready for it. */
export async function startCloud(choose: (machine: KeadmMachine) => Promise<ApiChoice>): Promise<Cloud> {
  const machine = await linuxMachineWithoutSystemd(unlimited());
  try {
    const choice = await choose(machine);
    const [hub, https, monitor] = await Promise.all([freePort(), freePort(), freePort()]);
    const addresses = ['--advertise-address', '127.0.0.1', '--monitor-address', `127.0.0.1:${monitor}`];
    const ports = ['--hub-port', `${hub}`, '--https-port', `${https}`];
    await runKeadm(machine, ['init', ...choice.initFlags, ...addresses, ...ports]);
    const api = await openKubeApi({ kubeconfigFile: machine.node.hostPath(choice.kubeconfig) });
    return cloudOf(machine, api, { hub, https, monitor }, choice);
  } catch (error) {
    await machine.node.stop();
    throw error;
  }
}

/** Runs keadm, which has to succeed, and returns what it printed. */
export async function runKeadm(machine: KeadmMachine, args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await machine.keadm(args);
  if (exitCode === 0) return stdout;
  throw new Error(`"keadm ${args.join(' ')}" ended with ${exitCode}: ${stdout}${stderr}`);
}

function cloudOf(
  machine: KeadmMachine,
  api: KubeApi,
  { monitor, ...ports }: CloudPorts & { readonly monitor: number },
  choice: ApiChoice,
): Cloud {
  return {
    ports,
    monitorPort: monitor,
    machine,
    api,
    kubeconfig: choice.kubeconfig,
    keadm: async (...args) => runKeadm(machine, args),
    token: async () => (await runKeadm(machine, ['gettoken', '--kubeconfig', choice.kubeconfig])).trim(),
    apply: choice.apply ?? (async (objects) => applyAll(api, objects)),
    remove: choice.remove ?? (async (objects) => removeAll(api, objects)),
    async stop() {
      api.close();
      await machine.node.stop();
    },
  };
}

async function applyAll(api: KubeApi, objects: readonly Manifest[]): Promise<void> {
  for (const body of objects) {
    const patch = { type: 'apply', body, fieldManager: 'test', force: true } as const;
    await api.patch(kindOf(body), body.metadata, patch, unlimited());
  }
}

async function removeAll(api: KubeApi, objects: readonly Manifest[]): Promise<void> {
  for (const each of objects) await api.delete(kindOf(each), each.metadata, { gracePeriodSeconds: 0 }, unlimited());
}
