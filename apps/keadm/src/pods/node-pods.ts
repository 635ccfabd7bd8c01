import { type ContainerRuntime, connectRuntime, runtimeError } from '@fenestra/cri';
import { type AgentStatus, POD_RESTARTS_FOLDER } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { gatherNodeFacts } from '@fenestra/lifecycle';
import type { FileStore } from '@fenestra/platform';
import { type PodInstance, podViews, type PodView, type StoredPod } from '@fenestra/pods';
import { join } from 'node:path';
import type { KeadmEnvironment, KeadmPlatform } from '../platform.ts';
import { readInstances } from './pod-instances.ts';
import { readStoredPods } from './stored-pods.ts';

/** The pods of the node on this machine, with or without a running agent. */
export interface NodePods {
  readonly runtime: ContainerRuntime;
  readonly endpoint: string;
  readonly logFolder: string;
  readonly restartsFolder: string;
  readonly files: FileStore;
  /** What the running agent says of itself. */
  readonly agent: AgentStatus | undefined;
  /** The pods, and why the runtime could not be asked. */
  list(): Promise<PodList>;
}

/** The pods of a node. Without the runtime, they are as the agent saw them last. */
export interface PodList {
  readonly pods: readonly PodView[];
  readonly runtimeProblem?: OperatorError;
}

/** The pods as the runtime reports them: fails where only stored ones are known. */
export function reportedPods({ pods, runtimeProblem }: PodList): readonly PodView[] {
  if (runtimeProblem !== undefined) throw runtimeProblem;
  return pods;
}

/** Uses the pods of the node; `action` is what needs the rights of an administrator. */
export async function withNodePods<Result>(
  { loadPlatform, signal }: Pick<KeadmEnvironment, 'loadPlatform' | 'signal'>,
  { root, action }: { readonly root: string | undefined; readonly action: string },
  use: (pods: NodePods) => Promise<Result>,
): Promise<Result> {
  const platform = await loadPlatform(root);
  if (root === undefined) await platform.host.requireElevation(`keadm pod ${action}`);
  const pods = await openNodePods(platform, signal);
  try {
    return await use(pods);
  } finally {
    pods.runtime.close();
  }
}

/** Opens the pods of the node. Its runtime has to be closed. */
export async function openNodePods(platform: KeadmPlatform, signal: AbortSignal): Promise<NodePods> {
  const { host, layout, files, access, services } = platform;
  const ports = { host, files, access, services, secrets: new Map<string, string>() };
  const facts = await gatherNodeFacts({ host, layout, ports }, { asksProgram: false });
  const { config, configProblem, agent, statusFolder } = facts;
  if (configProblem !== undefined) throw configProblem;
  if (config === undefined) throw noNode();
  const { hostnameOverride, tailoredKubeletConfig } = config.modules.edged;
  const { containerRuntimeEndpoint: endpoint, podLogsDir: logFolder } = tailoredKubeletConfig;
  const runtime = connectRuntime(endpoint);
  return {
    runtime,
    endpoint,
    logFolder,
    files,
    agent,
    restartsFolder: join(statusFolder, POD_RESTARTS_FOLDER),
    list: async () =>
      listPods({ runtime, endpoint }, await readStoredPods(config.database.dataSource, hostnameOverride), signal),
  };
}

async function listPods(
  { runtime, endpoint }: Pick<NodePods, 'endpoint' | 'runtime'>,
  stored: readonly StoredPod[],
  signal: AbortSignal,
): Promise<PodList> {
  let instances: readonly PodInstance[];
  try {
    instances = await readInstances(runtime, signal);
  } catch (cause) {
    return { pods: podViews(stored, undefined), runtimeProblem: runtimeError(cause, endpoint) };
  }
  return { pods: podViews(stored, instances) };
}

function noNode(): OperatorError {
  return new OperatorError('NODE_ABSENT', 'There are no pods: this machine is not a node', {
    hint: 'Join it first with "keadm join".',
  });
}
