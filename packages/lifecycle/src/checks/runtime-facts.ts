import { readFile } from 'node:fs/promises';
import { edgePaths, loadEdgecoreConfig } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { HostFacts, NodeLayout } from '@fenestra/platform';
import { inspectRuntime, type RuntimeReport } from '@fenestra/steps';

/** The container runtime that the node's pods run with, or would, and what can be said of it. */
export interface RuntimeFacts extends RuntimeReport {
  readonly endpoint: string;
}

const LIMIT_MS = 15_000;

/** Asks the runtime at the wanted endpoint, or else the configured one, or else the likely one. */
export async function askRuntime(
  wanted: string | undefined,
  layout: NodeLayout,
  host: HostFacts,
): Promise<RuntimeFacts> {
  const endpoint = wanted ?? (await configuredEndpoint(layout, host)) ?? likelyEndpoint(host);
  return { endpoint, ...(await inspectRuntime(endpoint, AbortSignal.timeout(LIMIT_MS))) };
}

/** Whether there is a configuration, and one that can be read and used, is another check's question. */
async function configuredEndpoint(
  { agentConfigFile }: NodeLayout,
  { os, hostName }: HostFacts,
): Promise<string | undefined> {
  const text = await readFile(agentConfigFile, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const { config } = loadEdgecoreConfig(text, agentConfigFile, os, { hostName, cloudAddress: '127.0.0.1' });
    return config.modules.edged.tailoredKubeletConfig.containerRuntimeEndpoint;
  } catch (error) {
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
}

/** Docker's own socket is of no use to an agent. */
function likelyEndpoint({ os, runtimes }: HostFacts): string {
  return runtimes.find(({ runtime }) => runtime !== 'docker')?.endpoint ?? edgePaths(os).runtimeEndpoint;
}
