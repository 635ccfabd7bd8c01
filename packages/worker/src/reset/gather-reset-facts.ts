import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import { pathExists, within, type WorkerLayout } from '@fenestra/platform';
import { GUARD_SERVICE } from '@fenestra/session';
import {
  inspectRuntime,
  type JudgedFolder,
  judgeFolders,
  type Kept,
  listFolders,
  podVolumesBelow,
} from '@fenestra/steps';
import { gatherMachine, type WorkerMachine } from '../machine/gather-machine.ts';
import { chooseRuntime, runtimeSocket } from '../machine/runtime-socket.ts';
import { readIdentity } from '../machine/worker-identity.ts';
import { isRuleInForce, KUBELET_RULE } from '../prepare/gather-prepare-facts.ts';
import type { WorkerSession } from '../worker-session.ts';
import { askCluster } from './ask-cluster.ts';
import { lookAtNetworkFiles, lookAtNetworks } from '../machine/pod-networks.ts';
import type { KubeResetFacts, KubeResetWishes, RuntimeAnswer } from './workflow.ts';
import { workerFolders } from './worker-folders.ts';

const RUNTIME_LIMIT_MS = 15_000;

/** Looks at the machine, and at the cluster where it can be asked, and changes nothing. */
export async function gatherResetFacts(
  session: WorkerSession,
  wishes: KubeResetWishes,
  signal: AbortSignal,
): Promise<KubeResetFacts> {
  const machine = await gatherMachine(session, signal);
  const { layout, record, host } = machine;
  await refuseControlPlane(layout);
  const joined = await hasJoined(machine);
  const ownService = machine.spec !== undefined && machine.foreignService === undefined;
  const nodeName = record?.cluster?.nodeName ?? (await readIdentity(layout)).nodeName ?? host.hostName.toLowerCase();
  const access = { kubeconfig: wishes.kubeconfig, layout };
  const volumes = joined ? await podVolumesBelow(layout.kubeletFolder) : [];
  const networks = await lookAtNetworks(session.ports.networks, record?.found ?? undefined);
  const folders = await judgeMachine(session, { machine, joined, wishes, volumes });
  return {
    wishes,
    layout,
    node: session.layout,
    present: record !== undefined || joined || ownService,
    joined,
    nodeName,
    service: machine.service,
    ownService,
    cluster: joined ? await askCluster(session.ports, access, nodeName, signal) : { state: 'not-asked' },
    runtime: joined && session.root === undefined ? await askRuntime(machine, wishes, signal) : {},
    guardLeft: await isGuardLeft(session),
    volumes,
    firewallRule: (await isRuleInForce(session.ports.firewall, record)) === true ? KUBELET_RULE : undefined,
    networks: networks.goes,
    folders,
    kept: [
      ...keptIn(folders),
      ...networks.kept,
      ...(joined ? await lookAtNetworkFiles(layout, record?.found ?? undefined) : []),
      ...keptParts(machine, { joined, keepPrograms: wishes.keepPrograms }),
    ],
  };
}

/** keadm manages workers: what a control plane's reset has to do, kubeadm knows. */
async function refuseControlPlane({ configFolder, manifestsFolder }: WorkerLayout): Promise<void> {
  const marks = [join(configFolder, 'admin.conf'), join(manifestsFolder, 'kube-apiserver.yaml')];
  for (const mark of marks) {
    if (!(await pathExists(mark))) continue;
    throw new OperatorError('NODE_CONFLICT', `Cannot reset: this machine is a control plane, as "${mark}" shows`, {
      hint: 'Take it out of the cluster with "kubeadm reset".',
    });
  }
}

async function hasJoined({ layout, record }: WorkerMachine): Promise<boolean> {
  if (record !== undefined && record.cluster !== null) return true;
  const marks = [layout.kubeconfig, layout.bootstrapKubeconfig, layout.kubeletConfig, layout.flagsFile];
  return (await Promise.all(marks.map(pathExists))).includes(true);
}

async function judgeMachine(
  session: WorkerSession,
  seen: {
    readonly machine: WorkerMachine;
    readonly joined: boolean;
    readonly wishes: KubeResetWishes;
    readonly volumes: readonly string[];
  },
): Promise<readonly JudgedFolder[]> {
  const { layout, record, programs } = seen.machine;
  const placed = programs.filter(({ ours }) => ours && !seen.wishes.keepPrograms).map(({ path }) => path);
  const folders = workerFolders({
    layout,
    record,
    joined: seen.joined,
    programs: placed,
    executable: session.executable,
  });
  const listings = await listFolders(folders.map(({ path }) => path));
  const unmounted = listings.map((listing) => ({
    ...listing,
    mountPoints: listing.mountPoints.filter((point) => !seen.volumes.includes(point)),
  }));
  return judgeFolders(folders, unmounted);
}

/** Asks the runtime that the worker works with. One that does not answer holds nothing up; what runs there is reported. */
async function askRuntime(
  machine: WorkerMachine,
  { criSocket }: KubeResetWishes,
  signal: AbortSignal,
): Promise<RuntimeAnswer> {
  const endpoint = chooseRuntime(criSocket ?? (await runtimeSocket(machine)), machine.host);
  const report = await inspectRuntime(endpoint, within(RUNTIME_LIMIT_MS, signal));
  if (report.version !== undefined) return { endpoint };
  return { problem: `the container runtime at "${endpoint}" ${report.problem ?? 'does not answer'}` };
}

async function isGuardLeft({ layout, ports }: WorkerSession): Promise<boolean> {
  const { state } = await ports.services.status(GUARD_SERVICE);
  return state !== 'absent' || pathExists(layout.guardExecutable);
}

function keptIn(folders: readonly JudgedFolder[]): readonly Kept[] {
  const again = 'something is mounted in it; unmount that, then run "keadm kube reset" again';
  return folders.flatMap(({ names, strangers, mounted }) => [
    ...(names.length === 0 ? [] : strangers).map((path) => ({ path, why: 'it was not made for the worker' })),
    ...mounted.map((path) => ({ path, why: again })),
  ]);
}

function keptParts(
  { programs, spec, foreignService }: WorkerMachine,
  { joined, keepPrograms }: { readonly joined: boolean; readonly keepPrograms: boolean },
): readonly Kept[] {
  const service =
    joined && spec !== undefined && foreignService !== undefined
      ? [
          {
            path: spec.executable,
            why: `the service "${spec.name}" was not registered by keadm; it is only stopped`,
          },
        ]
      : [];
  const others = programs.filter(({ ours }) => keepPrograms || !ours);
  return [
    ...service,
    ...others.map(({ path, ours }) => ({
      path,
      why: ours ? 'programs are kept, as requested' : 'keadm did not place it',
    })),
  ];
}
