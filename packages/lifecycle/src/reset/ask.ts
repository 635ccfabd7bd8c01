import { OperatorError } from '@fenestra/kernel';
import { within } from '@fenestra/platform';
import { withNodeCloud, type CloudNode, type StepPorts } from '@fenestra/session';
import { edgePaths } from '@fenestra/contracts';
import { inspectRuntime } from '@fenestra/steps';
import type { NodeFacts } from '../node/node-facts.ts';

const LIMIT_MS = 30_000;

/** What the cloud says of the node, or why it could not be asked. */
export type CloudAnswer =
  | { readonly state: 'not-asked' }
  | { readonly state: 'unknown'; readonly reason: string }
  | { readonly state: 'absent'; readonly server: string }
  | ({ readonly state: 'registered'; readonly server: string; readonly kubeconfig: string } & CloudNode);

/** Asks the cloud that was named. One that cannot be reached is not a reason to keep the node. */
export async function askCloud(
  ports: StepPorts,
  { kubeconfig }: { readonly kubeconfig: string | undefined },
  node: string,
  signal: AbortSignal,
): Promise<CloudAnswer> {
  if (kubeconfig === undefined) return { state: 'not-asked' };
  try {
    return await withNodeCloud(ports, kubeconfig, async (cloud) => {
      const found = await cloud.find(node, within(LIMIT_MS, signal));
      const { server } = cloud;
      return found === undefined ? { state: 'absent', server } : { state: 'registered', server, kubeconfig, ...found };
    });
  } catch (error) {
    if (!(error instanceof OperatorError) || !isOutage(error)) throw error;
    return { state: 'unknown', reason: error.message };
  }
}

/** A kubeconfig that is wrong, or an account without the rights, is the operator's to fix before anything is deleted. */
function isOutage({ code }: OperatorError): boolean {
  return code === 'API_UNREACHABLE' || code === 'API_FAILED' || code === 'TIMED_OUT';
}

const RUNTIME_LIMIT_MS = 15_000;

/** The container runtime that the node's pods are to be removed from, or why they can not be. */
export interface RuntimeAnswer {
  readonly endpoint?: string;
  readonly problem?: string;
  /** The node whose pods are meant, where the runtime may hold pods of other nodes as well. */
  readonly madeBy?: string;
}

/** Asks the runtime that the node works with. One that does not answer holds nothing up; what runs there is reported. */
export async function askRuntime(
  { runtimeEndpoint }: { readonly runtimeEndpoint: string | undefined },
  { config, host }: Pick<NodeFacts, 'config' | 'host'>,
  signal: AbortSignal,
): Promise<RuntimeAnswer> {
  const configured = config?.modules.edged.tailoredKubeletConfig.containerRuntimeEndpoint;
  const endpoint = runtimeEndpoint ?? configured ?? edgePaths(host.os).runtimeEndpoint;
  const report = await inspectRuntime(endpoint, within(RUNTIME_LIMIT_MS, signal));
  if (report.version !== undefined) return { endpoint };
  return { problem: `the container runtime at "${endpoint}" ${report.problem ?? 'does not answer'}` };
}

/** The same for a node below a folder: it shares the runtime with whatever else the machine runs, and need not have one. */
export async function askSharedRuntime(
  wishes: { readonly runtimeEndpoint: string | undefined },
  node: Pick<NodeFacts, 'config' | 'host' | 'nodeName'>,
  signal: AbortSignal,
): Promise<RuntimeAnswer> {
  if (node.nodeName === undefined) return {};
  const { endpoint } = await askRuntime(wishes, node, signal);
  return endpoint === undefined ? {} : { endpoint, madeBy: node.nodeName };
}
