import { isAtLeast } from '@fenestra/contracts/kube';
import type { KubeObject } from '@fenestra/kube-api';
import { hostProcessPod } from '../parts/host-process.ts';
import { CNI, NODE_KUBE_PROXY } from '../parts/node-paths.ts';
import { partObjects } from '../parts/part-objects.ts';
import type { ManifestRequest } from '../request/manifest-request.ts';
import { KUBE_PROXY_SCRIPT } from './start-script.ts';

/** The part's name: of its namespace, its account and everything else. */
export const KUBE_PROXY = 'kube-proxy-windows';

/** kube-proxy on every Windows node; the one that kubeadm installs runs on Linux nodes alone. */
export function kubeProxyObjects(request: ManifestRequest): readonly KubeObject[] {
  const { hnsNetwork, images } = request;
  return partObjects(
    {
      name: KUBE_PROXY,
      image: images['kube-proxy'],
      files: {
        'start.ps1': KUBE_PROXY_SCRIPT,
        'arguments.txt': `${kubeProxyArguments(request).join('\n')}\n`,
        'source-address.json': sourceAddressRequest(hnsNetwork),
      },
      variables: {
        KUBE_NETWORK: hnsNetwork,
        NODE_PROGRAM: NODE_KUBE_PROXY,
        CNI_PATH: CNI.programs,
        CNI_STATE: CNI.addresses,
      },
      // Kubernetes keeps this role's rules as its own version of kube-proxy needs them.
      rights: { clusterRole: 'system:node-proxier' },
      pod: hostProcessPod('start.ps1'),
    },
    request,
  );
}

/** The arguments that are the same on every node. */
export function kubeProxyArguments({ version, podSubnet, hnsNetwork }: ManifestRequest): readonly string[] {
  return [
    '--v=2',
    '--proxy-mode=kernelspace',
    '--enable-dsr=true',
    `--cluster-cidr=${podSubnet}`,
    `--network-name=${hnsNetwork}`,
    ...(isOnByDefault(version) ? [] : ['--feature-gates=WinDSR=true,WinOverlay=true']),
  ];
}

/** Both gates are on since 1.33, and to go after 1.36: a gate that is gone keeps kube-proxy from starting. */
function isOnByDefault(version: string): boolean {
  return isAtLeast(version, 33);
}

/** What the plugin that gives addresses is asked for one with. */
function sourceAddressRequest(network: string): string {
  const ipam = { type: 'host-local', dataDir: CNI.addresses, ranges: [[{ subnet: 'NODE_SUBNET' }]] };
  return JSON.stringify({ cniVersion: '0.3.1', name: network, ipam });
}
