/**
 * A cloud and one node whose agent, the built executable, runs pods in a real container runtime. All of it is in the
 * cage of the runtime, with its network, and ends with this process.
 */
import { once } from 'node:events';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectRuntime, type ContainerRuntime } from '@fenestra/cri';
import type { Json } from '@fenestra/kernel';
import { type KubeApi, KINDS, type KubeObject, listAt, openKubeApi, stringAt } from '@fenestra/kube-api';
import { ourExecutable } from '../../../bench/executables.ts';
import { type CommandOptions, commandFailed } from '../beds/command.ts';
import {
  type ContainerdRelease,
  type PodRuntime,
  type PodRuntimeOptions,
  startPodRuntime,
} from '../beds/pod-runtime.ts';
import { freePort } from '@fenestra/platform/testing/free-port';
import { eventually } from './eventually.ts';
import { PATIENCE } from './patience.ts';
import { type Endpoint, openRelay, type Relay } from './relay.ts';
import { restartAsAfterReboot } from './runtime-reboot.ts';

/** What runs and what a test can do to it. */
export interface PodCloud {
  readonly runtime: PodRuntime;
  /** A client of the runtime besides the agent's. */
  readonly cri: ContainerRuntime;
  /** The administrator's access to the cloud. */
  readonly api: KubeApi;
  /** Where the node keeps its files, for every path below `/` of an ordinary node. */
  readonly nodeRoot: string;
  /** The administrator's kubeconfig, for programs in the cage. */
  readonly kubeconfig: string;
  /** Runs a program in the cage, which has to succeed, and returns what it printed. */
  run(argv: readonly string[], options?: CommandOptions): Promise<string>;
  /** Runs keadm for the node, which has to succeed, and returns what it printed. */
  keadm(...words: readonly string[]): Promise<string>;
  /** Ends the agent with SIGKILL. Nothing starts it again but `startAgent`. */
  killAgent(): Promise<void>;
  startAgent(): Promise<void>;
  /** Changes settings of the node, as in `PATH=VALUE`. */
  configure(...settings: readonly string[]): Promise<void>;
  stopCloud(): Promise<void>;
  startCloud(): Promise<void>;
  /** Everything ends and what a reboot forgets is forgotten. Then only containerd runs. */
  reboot(): Promise<void>;
  /** The log of the agent. */
  agentLog(): Promise<string>;
  stop(): Promise<void>;
}

/** The name of the node. */
export const POD_NODE = 'press-1';
/** The DNS server and domain of the cluster, as the node is configured. */
export const CLUSTER_DNS = '10.96.0.10';

/** Where the settings are that a kubelet has as well. */
export const KUBELET_SETTINGS = 'modules.edged.tailoredKubeletConfig';

/** Flags of a node that runs pods here: how full the disk of this machine is depends on others. */
export const SHARED_DISK: readonly string[] = [
  ...['nodefs.available', 'nodefs.inodesFree', 'imagefs.available', 'imagefs.inodesFree'].map(
    (name) => `--set=${KUBELET_SETTINGS}.evictionHard["${name}"]=0%`,
  ),
  `--set=${KUBELET_SETTINGS}.imageGCHighThresholdPercent=100`,
];

const API_PORT = 6443;
const LONGEST_DELAY_SECONDS = '3600';
const KEADM_MS = 4 * 60_000;
const AGENT = '/bin/edgecore --config';

/** A Kubernetes outside the cage, whose API server has a port on loopback. */
export interface Cluster {
  readonly server: string;
  readonly kubeconfig: string;
}

/** What a cloud for pods is started with. */
export interface PodCloudOptions extends PodRuntimeOptions {
  readonly release?: ContainerdRelease;
  /** By default the cloud has an embedded Kubernetes API. */
  readonly cluster?: Cluster;
  /** Settings that the node joins with, as in `PATH=VALUE`. */
  readonly settings?: readonly string[];
}

/** How tests and cloudcore reach the Kubernetes API. */
interface ApiAccess {
  readonly api: KubeApi;
  readonly relay: Relay;
}

/** Starts the runtime, the cloud and the node, and returns when the node is ready. */
export async function startPodCloud(signal: AbortSignal, options: PodCloudOptions = {}): Promise<PodCloud> {
  const { release = 'installed' } = options;
  const runtime = await startPodRuntime(signal, release, options);
  try {
    return await startIn(runtime, options, signal);
  } catch (error) {
    await runtime.stop();
    throw error;
  }
}

async function startIn(
  runtime: PodRuntime,
  { cluster, settings = [] }: PodCloudOptions,
  signal: AbortSignal,
): Promise<PodCloud> {
  const { cage, folder } = runtime;
  const [cloudRoot, nodeRoot] = [join(folder, 'cloud'), join(folder, 'node')];
  const keadm = join(folder, 'keadm');
  await copyFile(ourExecutable(), keadm);
  async function run(argv: readonly string[], options: CommandOptions = {}): Promise<string> {
    const result = await cage.run(argv, { timeoutMs: KEADM_MS, ...options }, signal);
    if (result.exitCode !== 0) throw commandFailed(argv.join(' '), result);
    return result.stdout;
  }
  const kubeconfig = cluster?.kubeconfig ?? join(cloudRoot, 'var/lib/kubeedge/cloud/admin.kubeconfig');
  const clusterAccess = cluster === undefined ? undefined : await openCluster(runtime, cluster, signal);
  const apiFlags = cluster === undefined ? ['--embedded'] : ['--kubeconfig', kubeconfig];
  await run([keadm, 'init', ...apiFlags, '--root', cloudRoot, '--advertise-address', '127.0.0.1']);
  const tokenArgs = ['--node', POD_NODE, '--root', cloudRoot, '--kubeconfig', kubeconfig];
  await writeFile(join(folder, 'token'), await run([keadm, 'gettoken', ...tokenArgs]));
  await run([keadm, 'join', '--root', nodeRoot, ...joinFlags(runtime), ...settings.map((each) => `--set=${each}`)]);

  const { api, relay } = clusterAccess ?? (await openApi(runtime, kubeconfig, signal));
  const cri = connectRuntime(runtime.endpoint);
  const isAgentGone = async (): Promise<boolean> => (await cage.run(['pgrep', '-f', AGENT], {}, signal)).exitCode === 1;
  const podCloud: PodCloud = {
    runtime,
    cri,
    api,
    nodeRoot,
    kubeconfig,
    run,
    keadm: async (...words) => run([keadm, ...words, '--root', nodeRoot]),
    async killAgent() {
      await run(['pkill', '-KILL', '-f', AGENT]);
      await eventually(
        async () => {
          if (!(await isAgentGone())) throw new Error('The agent does not end');
        },
        { timeout: 10_000, interval: 20 },
      );
    },
    startAgent: async () => void (await run([keadm, 'service', 'start', '--root', nodeRoot])),
    configure: async (...changes) => void (await run([keadm, 'config', 'set', '--root', nodeRoot, ...changes])),
    stopCloud: async () => void (await run([keadm, 'cloud', 'stop', '--root', cloudRoot])),
    startCloud: async () => void (await run([keadm, 'cloud', 'start', '--root', cloudRoot])),
    async reboot() {
      await restartAsAfterReboot(runtime, run);
      await openDoor(runtime, signal);
    },
    agentLog: async () => readFile(join(nodeRoot, 'var/lib/kubeedge/log/edgecore.log'), 'utf8'),
    async stop() {
      api.close();
      cri.close();
      await relay.close();
      await runtime.stop();
    },
  };
  await untilNodeReady(podCloud);
  return podCloud;
}

/** A condition of a node or pod. */
export function conditionOf(object: KubeObject | undefined, type: string): Json | undefined {
  return listAt(object, 'status', 'conditions').find((condition) => stringAt(condition, 'type') === type);
}

/** Waits until the cloud knows whether the node can run pods, as expected. */
export async function untilNodeReady({ api }: Pick<PodCloud, 'api'>, status = 'True'): Promise<void> {
  await eventually(async () => {
    const { signal } = new AbortController();
    const ready = conditionOf(await api.get(KINDS.node, { name: POD_NODE }, signal), 'Ready');
    if (stringAt(ready, 'status') !== status) throw new Error(`The condition is ${JSON.stringify(ready)}`);
  }, PATIENCE);
}

function joinFlags({ endpoint, folder }: PodRuntime): readonly string[] {
  const kubelet = KUBELET_SETTINGS;
  return [
    '--cloudcore-ip=127.0.0.1',
    `--edgenode-name=${POD_NODE}`,
    `--token-file=${join(folder, 'token')}`,
    `--remote-runtime-endpoint=${endpoint}`,
    `--restart-delays=${LONGEST_DELAY_SECONDS}`,
    '--settle=1s',
    // The ports of the cloud are those that a node checks.
    '--skip-check=ports',
    `--set=${kubelet}.clusterDNS={${CLUSTER_DNS}}`,
    `--set=${kubelet}.clusterDomain=cluster.test`,
    ...SHARED_DISK,
  ];
}

/** Makes the API server of a cluster outside the cage reachable in it, at the same address. */
async function openCluster(runtime: PodRuntime, cluster: Cluster, signal: AbortSignal): Promise<ApiAccess> {
  const port = Number(new URL(cluster.server).port);
  const path = join(runtime.folder, 'cluster.sock');
  const relay = await openRelay({ path }, { port });
  await runDoor(runtime, [[{ port }, { path }]], signal);
  return { api: await openKubeApi({ kubeconfigFile: cluster.kubeconfig }), relay };
}

/** The socket that leads to the API: every network can reach it. */
function doorOf({ folder }: PodRuntime): string {
  return join(folder, 'api.sock');
}

async function openDoor(runtime: PodRuntime, signal: AbortSignal): Promise<void> {
  await runtime.cage.run(['rm', '-f', doorOf(runtime)], {}, signal);
  await runDoor(runtime, [[{ path: doorOf(runtime) }, { port: API_PORT }]], signal);
}

async function runDoor(
  runtime: PodRuntime,
  ways: readonly (readonly Endpoint[])[],
  signal: AbortSignal,
): Promise<void> {
  const program = join(import.meta.dirname, 'network-door.ts');
  const argv = [process.execPath, program, JSON.stringify(ways)];
  const door = runtime.cage.spawn(argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (door.stdout !== null) await once(door.stdout, 'data', { signal });
}

async function openApi(runtime: PodRuntime, kubeconfig: string, signal: AbortSignal): Promise<ApiAccess> {
  await openDoor(runtime, signal);
  const port = await freePort();
  const relay = await openRelay({ port }, { path: doorOf(runtime) });
  const own = join(runtime.folder, 'kubeconfig');
  const text = await readFile(kubeconfig, 'utf8');
  await writeFile(own, text.replaceAll(`127.0.0.1:${API_PORT}`, `127.0.0.1:${port}`), { mode: 0o600 });
  return { api: await openKubeApi({ kubeconfigFile: own }), relay };
}
