import type { NodePoolConfig } from '@fenestra/imaging';
import { OperatorError } from '@fenestra/kernel';
import { manifestsYaml, readRequest, windowsManifests } from '@fenestra/worker/manifests';

/** kube-proxy and the network of a pool. */
export interface AddOns {
  readonly manifests: string;
  readonly notes: readonly string[];
}

/** What `keadm kube manifests` makes for the same cluster. Throws `CONFIG_INVALID` for what does not go together. */
export function addOnsOf({ network, kubernetesVersion }: NodePoolConfig, file: string): AddOns | undefined {
  if (network === undefined) return undefined;
  const request = requestOf(network, kubernetesVersion, file);
  const made = windowsManifests(request);
  return { manifests: manifestsYaml(request, made), notes: made.notes };
}

type PoolNetwork = NonNullable<NodePoolConfig['network']>;

function requestOf(network: PoolNetwork, version: string, file: string): ReturnType<typeof readRequest> {
  const { plugin, policies = false, ...given } = network;
  try {
    const { hnsNetwork, serviceSubnet, podSubnet, apiServer } = given;
    const places = { hnsNetwork, serviceSubnet, podSubnet, apiServer };
    return readRequest({ version, network: plugin, images: [], policies, wins: false, ...places });
  } catch (error) {
    throw error instanceof OperatorError ? inWordsOfTheFile(error, file) : error;
  }
}

/** The options of that command, by the keys that say the same here. */
const KEYS: Readonly<Record<string, string>> = {
  '--network': 'network.plugin',
  '--hns-network': 'network.hnsNetwork',
  '--service-subnet': 'network.serviceSubnet',
  '--pod-subnet': 'network.podSubnet',
  '--api-server': 'network.apiServer',
};

function inWordsOfTheFile({ message, hint }: OperatorError, file: string): OperatorError {
  const problem = lowerFirst(translated(message));
  return new OperatorError('CONFIG_INVALID', `Cannot load "${file}": ${problem}`, {
    hint: translated(hint),
    details: { file, problems: 1 },
  });
}

function translated(text: string): string {
  return text.replaceAll(/(--[a-z-]+)( ?)/g, (whole, option: string, gap: string) => {
    const key = KEYS[option];
    return key === undefined ? whole : `${key}${gap === '' ? '' : ': '}`;
  });
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
