import { loadEdgecoreConfig, type EdgecoreConfig, type LoadedConfig } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { readText, readTextIfAny } from '@fenestra/platform';
import type { KeadmPlatform } from '../../platform.ts';

/** Reads and checks the node's own configuration; `NODE_ABSENT` if there is none. */
export async function loadNodeConfig(platform: KeadmPlatform): Promise<LoadedConfig<EdgecoreConfig>> {
  const { agentConfigFile } = platform.layout;
  const text = await readTextIfAny(agentConfigFile);
  if (text === undefined) throw absent(agentConfigFile);
  return loadText(platform, text, agentConfigFile);
}

/** Reads and checks a configuration that an operator names. */
export async function loadGivenConfig(platform: KeadmPlatform, path: string): Promise<LoadedConfig<EdgecoreConfig>> {
  return loadText(platform, await readConfigFile(path), path);
}

/** The text of a configuration that an operator names. */
export async function readConfigFile(path: string): Promise<string> {
  return readText(path, `the configuration "${path}"`);
}

async function loadText({ host }: KeadmPlatform, text: string, path: string): Promise<LoadedConfig<EdgecoreConfig>> {
  const { os, hostName } = await host.facts();
  return loadEdgecoreConfig(text, path, os, { hostName, cloudAddress: '127.0.0.1' });
}

function absent(path: string): OperatorError {
  return new OperatorError('NODE_ABSENT', `Cannot find the node configuration "${path}": this machine is not a node`, {
    hint: 'Join it first with "keadm join"; "edgecore --defaultconfig" prints every setting with its default.',
  });
}
