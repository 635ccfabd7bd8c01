import { readFile } from 'node:fs/promises';
import { loadEdgecoreConfig, type EdgecoreConfig } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { HostFacts, NodeLayout } from '@fenestra/platform';

/** The configuration in place; `undefined` if there is none that can be read and used, which another check reports. */
export async function presentConfig(
  { agentConfigFile }: NodeLayout,
  { os, hostName }: HostFacts,
): Promise<EdgecoreConfig | undefined> {
  const text = await readFile(agentConfigFile, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return loadEdgecoreConfig(text, agentConfigFile, os, { hostName, cloudAddress: '127.0.0.1' }).config;
  } catch (error) {
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
}
