import { isIPv4, isIPv6 } from 'node:net';
import { OperatorError } from '@fenestra/kernel';
import {
  chooseImages,
  defaultImages,
  type ManifestRequest,
  NEWEST_CHECKED,
  POD_NETWORKS,
  type PodNetwork,
  supportedVersion,
} from './manifest-request.ts';

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

/** An IPv4 subnet such as `10.96.0.0/12`, whose address is its first one. `option` is where it was given. */
function requireSubnet(text: string, option: string): string {
  const [address = '', length = '', ...more] = text.split('/');
  const bits = Number(length);
  if (!isIPv4(address) || !/^\d{1,2}$/.test(length) || bits < 1 || bits > 30 || more.length > 0) {
    throw notASubnet(
      text,
      option,
      isIPv6(address) ? 'networks of Windows nodes are IPv4 here' : 'it is not an IPv4 subnet',
    );
  }
  const first = firstAddress(address, bits);
  if (first !== address) throw notASubnet(text, option, `its first address is "${first}"`);
  return text;
}

/** Refuses two subnets of which one holds the other: packets for one would go to the other. */
function requireApart(podSubnet: string, serviceSubnet: string): void {
  if (!overlaps(podSubnet, serviceSubnet)) return;
  throw new OperatorError(
    'USAGE',
    `Cannot use the pod subnet "${podSubnet}" with the service subnet "${serviceSubnet}"`,
    {
      hint: 'Give the two subnets that the cluster was made with: they do not overlap.',
    },
  );
}

/** `HOST:PORT` of the API server as nodes reach it; an IPv6 address is in brackets. */
function requireApiServer(text: string): string {
  const url = URL.parse(`https://${text}`);
  const bare = url !== null && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  // The parser leaves out the port that https has anyway.
  if (bare && /:\d+$/.test(text) && url.hostname !== '' && /^[A-Za-z0-9.:[\]-]+$/.test(text)) return text;
  throw new OperatorError('USAGE', `Cannot use "${text}" as the address of the API server`, {
    hint: 'Give host and port, such as "--api-server 10.0.0.5:6443".',
  });
}

function overlaps(one: string, other: string): boolean {
  const bits = Math.min(lengthOf(one), lengthOf(other));
  return firstAddress(addressOf(one), bits) === firstAddress(addressOf(other), bits);
}

function firstAddress(address: string, bits: number): string {
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const size = 2 ** (32 - bits);
  const first = Math.floor(number / size) * size;
  return [24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256).join('.');
}

const addressOf = (subnet: string): string => subnet.split('/')[0] ?? '';
const lengthOf = (subnet: string): number => Number(subnet.split('/')[1]);

function notASubnet(text: string, option: string, reason: string): OperatorError {
  return new OperatorError('USAGE', `Cannot use "${option} ${text}": ${reason}`, {
    hint: `Give one such as "${option} 10.244.0.0/16".`,
  });
}
