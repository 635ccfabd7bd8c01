import { OperatorError } from '@fenestra/kernel';
import { requireApart, requireApiServer, requireSubnet } from './addresses.ts';
import { chooseImages, defaultImages } from './images.ts';
import { POD_NETWORKS, type ManifestRequest, type PodNetwork } from './manifest-request.ts';
import { NEWEST_CHECKED, supportedVersion } from './supported-version.ts';

/** What a person gives, unread. */
export interface GivenRequest {
  readonly version: string | undefined;
  readonly network: string | undefined;
  readonly hnsNetwork: string | undefined;
  readonly images: readonly string[];
  readonly serviceSubnet: string | undefined;
  readonly podSubnet: string | undefined;
  readonly apiServer: string | undefined;
  readonly policies: boolean;
  readonly wins: boolean;
}

/** kubeadm's. */
const SERVICE_SUBNET = '10.96.0.0/12';
/** Flannel's. */
const POD_SUBNET = '10.244.0.0/16';

/** Flannel names its networks so; where it is not used, Calico is what most have. */
const HNS_NETWORKS: Readonly<Record<PodNetwork, string>> = {
  'flannel-overlay': 'flannel.4096',
  'flannel-host-gateway': 'cbr0',
  none: 'Calico',
};

/** Checks all that was given and fills in what was not. Throws `USAGE` for the first thing that is wrong. */
export function readRequest(given: GivenRequest): ManifestRequest {
  const { policies, wins } = given;
  const network = requireNetwork(given.network ?? 'flannel-overlay');
  requireNeeded(network, given.images);
  const version = supportedVersion(given.version ?? NEWEST_CHECKED, { wins });
  const serviceSubnet = requireSubnet(given.serviceSubnet ?? SERVICE_SUBNET, '--service-subnet');
  const podSubnet = requireSubnet(given.podSubnet ?? POD_SUBNET, '--pod-subnet');
  requireApart(podSubnet, serviceSubnet);
  if (given.apiServer === undefined) throw noApiServer();
  return {
    version,
    network,
    hnsNetwork: readHnsNetwork(network, given.hnsNetwork),
    images: chooseImages(defaultImages(version, wins), given.images),
    serviceSubnet,
    podSubnet,
    apiServer: requireApiServer(given.apiServer),
    policies,
    wins,
  };
}

function requireNetwork(text: string): PodNetwork {
  const network = POD_NETWORKS.find((each) => each === text);
  if (network !== undefined) return network;
  throw new OperatorError('USAGE', `Cannot make the network "${text}"`, {
    hint: `Give one of ${POD_NETWORKS.join(', ')}.`,
  });
}

function requireNeeded(network: PodNetwork, images: readonly string[]): void {
  const idle = network === 'none' ? images.find((image) => image.startsWith('flannel=')) : undefined;
  if (idle === undefined) return;
  throw new OperatorError('USAGE', `Cannot use "--image ${idle}" with "--network none": Flannel is not installed`, {
    hint: 'Leave the image or "--network none" out.',
  });
}

function readHnsNetwork(network: PodNetwork, given: string | undefined): string {
  if (given === undefined) return HNS_NETWORKS[network];
  if (network !== 'none') {
    throw new OperatorError('USAGE', `Cannot use "--hns-network" with "--network ${network}": Flannel names its own`, {
      hint: 'Leave "--hns-network" out, or give "--network none" if another plugin makes the network.',
    });
  }
  if (/^[A-Za-z0-9._-]{1,63}$/.test(given)) return given;
  throw new OperatorError('USAGE', `Cannot use "${given}" as the name of an HNS network`, {
    hint: 'Give the name that "Get-HnsNetwork" shows on a node, such as "Calico".',
  });
}

/** The service's own address is of no use: nothing leads there before kube-proxy runs. */
function noApiServer(): OperatorError {
  return new OperatorError('USAGE', 'Missing the API server endpoint for Windows nodes', {
    hint: 'Give "--api-server HOST:PORT", or the cluster with "--kubeconfig FILE".',
  });
}
