import { networkInterfaces } from 'node:os';
import { type Plan, planWorkflow } from '@fenestra/kernel';
import { type CarriedOut, changeNode, type NodeSession, type StepPorts } from '@fenestra/session';
import { gatherServiceFacts } from '../service-program/facts.ts';
import { INSTALL_SERVICE } from '../service-program/workflows.ts';
import { openCloudAdmin } from './cloud-admin.ts';
import { adminKubeconfig, cloudService, type CloudWishes } from './cloud-service.ts';
import type { ManifestChange } from './manifests/install-manifests.ts';

/** What an operator may want of a cloud that is set up. Without addresses, nodes reach it at all of this machine's. */
export type InitWishes = Omit<CloudWishes, 'advertiseAddresses'> & {
  readonly advertiseAddresses: readonly string[] | undefined;
};

/** The machine that becomes the cloud. */
export type CloudMachine = Pick<NodeSession, 'layout' | 'executable'> & {
  readonly ports: Pick<StepPorts, 'services'>;
};

/** A cloud that can be set up. */
export interface PlannedCloud {
  readonly plan: Plan;
  /** Where nodes reach it. */
  readonly advertiseAddresses: readonly string[];
  /** What is installed in the cluster. It is empty for the embedded API, which brings its own. */
  readonly manifests: readonly ManifestChange[];
}

/** How the set-up of a cloud ended. */
export interface CloudInit extends CarriedOut<PlannedCloud> {
  /** Reaches the Kubernetes API of the cloud. */
  readonly kubeconfig: string;
  /** The URL of that API; absent if the set-up was undone. */
  readonly server: string | undefined;
}

const TOKEN_LIMIT_MS = 60_000;

/** Looks at the machine and the cluster, and plans what is missing. Changes nothing. */
export async function planCloud(machine: CloudMachine, wishes: InitWishes, signal: AbortSignal): Promise<PlannedCloud> {
  const planned = await planService(machine, wishes);
  return { ...planned, manifests: await changeCluster(wishes, { dryRun: true }, signal) };
}

/** Makes this machine the cloud, and returns once nodes can join it. If the service does not start, it is removed. */
export async function initCloud(session: NodeSession, wishes: InitWishes, signal: AbortSignal): Promise<CloudInit> {
  const manifests = await changeCluster(wishes, { dryRun: false }, signal);
  const makePlan = async (): Promise<PlannedCloud> => ({ ...(await planService(session, wishes)), manifests });
  const { change, planned } = await changeNode(session, 'keadm init', makePlan, signal);
  const kubeconfig = wishes.kubeconfig ?? adminKubeconfig(session.layout);
  const server = change.outcome === 'reverted' ? undefined : await awaitJoinToken(kubeconfig, signal);
  return { change, planned, kubeconfig, server };
}

async function planService(
  { layout, ports, executable }: CloudMachine,
  wishes: InitWishes,
): Promise<Omit<PlannedCloud, 'manifests'>> {
  const { advertiseAddresses = ownAddresses() } = wishes;
  const service = cloudService(layout, { ...wishes, advertiseAddresses });
  const facts = await gatherServiceFacts(service, ports.services, executable);
  return { plan: planWorkflow(INSTALL_SERVICE, facts), advertiseAddresses };
}

function ownAddresses(): readonly string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const reachable = addresses.filter(({ internal, family }) => !internal && family === 'IPv4');
  return reachable.length === 0 ? ['127.0.0.1'] : reachable.map(({ address }) => address);
}

async function changeCluster(
  { kubeconfig }: InitWishes,
  { dryRun }: { readonly dryRun: boolean },
  signal: AbortSignal,
): Promise<readonly ManifestChange[]> {
  if (kubeconfig === undefined) return [];
  const cloud = await openCloudAdmin(kubeconfig);
  try {
    return await cloud.install(dryRun, signal);
  } finally {
    cloud.close();
  }
}

/** Nodes can join once cloudcore has stored the token. Returns the URL of the Kubernetes API. */
async function awaitJoinToken(kubeconfig: string, signal: AbortSignal): Promise<string> {
  const cloud = await openCloudAdmin(kubeconfig);
  try {
    await cloud.joinToken(AbortSignal.any([signal, AbortSignal.timeout(TOKEN_LIMIT_MS)]));
    return cloud.server;
  } finally {
    cloud.close();
  }
}
