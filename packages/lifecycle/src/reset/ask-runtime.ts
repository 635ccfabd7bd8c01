import { edgePaths } from '@fenestra/contracts';
import { within } from '@fenestra/platform';
import { inspectRuntime } from '@fenestra/steps';
import type { NodeFacts } from '../node/node-facts.ts';

const LIMIT_MS = 15_000;

/** The container runtime that the node's pods are to be removed from, or why they can not be. */
export interface RuntimeAnswer {
  readonly endpoint?: string;
  readonly problem?: string;
}

/** Asks the runtime that the node works with. One that does not answer holds nothing up; what runs there is reported. */
export async function askRuntime(
  { runtimeEndpoint }: { readonly runtimeEndpoint: string | undefined },
  { config, host }: Pick<NodeFacts, 'config' | 'host'>,
  signal: AbortSignal,
): Promise<RuntimeAnswer> {
  const configured = config?.modules.edged.tailoredKubeletConfig.containerRuntimeEndpoint;
  const endpoint = runtimeEndpoint ?? configured ?? edgePaths(host.os).runtimeEndpoint;
  const report = await inspectRuntime(endpoint, within(LIMIT_MS, signal));
  if (report.version !== undefined) return { endpoint };
  return { problem: `the container runtime at "${endpoint}" ${report.problem ?? 'does not answer'}` };
}
