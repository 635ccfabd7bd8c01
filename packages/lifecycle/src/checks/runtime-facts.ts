import { edgePaths, type EdgecoreConfig } from '@fenestra/contracts';
import type { HostFacts } from '@fenestra/platform';
import { inspectRuntime, type RuntimeReport } from '@fenestra/steps';

/** The container runtime that the node's pods run with, or would, and what can be said of it. */
export interface RuntimeFacts extends RuntimeReport {
  readonly endpoint: string;
}

const LIMIT_MS = 15_000;

/** Asks the configured runtime, or else the likely one. */
export async function askRuntime(config: EdgecoreConfig | undefined, host: HostFacts): Promise<RuntimeFacts> {
  const endpoint = config?.modules.edged.tailoredKubeletConfig.containerRuntimeEndpoint ?? likelyEndpoint(host);
  return { endpoint, ...(await inspectRuntime(endpoint, AbortSignal.timeout(LIMIT_MS))) };
}

/** Docker's own socket is of no use to an agent. */
function likelyEndpoint({ os, runtimes }: HostFacts): string {
  return runtimes.find(({ runtime }) => runtime !== 'docker')?.endpoint ?? edgePaths(os).runtimeEndpoint;
}
