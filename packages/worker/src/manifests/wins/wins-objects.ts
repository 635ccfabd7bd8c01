import type { KubeObject } from '@fenestra/kube-api';
import { FLANNEL, FLANNEL_RULES } from '../flannel/flannel.ts';
import { flannelConfiguration, pluginConfiguration } from '../flannel/network-files.ts';
import { KUBE_PROXY, kubeProxyArguments } from '../kube-proxy/kube-proxy.ts';
import { partObjects } from '../parts/part-objects.ts';
import type { ManifestRequest } from '../request/manifest-request.ts';
import { WINS_FLANNEL_SCRIPT, WINS_KUBE_PROXY_SCRIPT } from './scripts.ts';
import { winsPod } from './wins-pod.ts';

/** The historic set: the same programs, started on the host by wins. */
export function winsObjects(request: ManifestRequest): readonly KubeObject[] {
  return [...(request.network === 'none' ? [] : flannelByWins(request)), ...kubeProxyByWins(request)];
}

function kubeProxyByWins(request: ManifestRequest): readonly KubeObject[] {
  return partObjects(
    {
      name: KUBE_PROXY,
      image: request.images['kube-proxy'],
      files: {
        'start.ps1': WINS_KUBE_PROXY_SCRIPT,
        'arguments.txt': `${kubeProxyArguments(request).join('\n')}\n`,
      },
      variables: {
        OVERLAY: String(request.network === 'flannel-overlay'),
        POD_ADDRESS: { fieldPath: 'status.podIP' },
      },
      rights: { clusterRole: 'system:node-proxier' },
      // Its pod's address tells which subnet is the node's.
      pod: winsPod('start.ps1', { hostNetwork: false }),
    },
    request,
  );
}

function flannelByWins(request: ManifestRequest): readonly KubeObject[] {
  return partObjects(
    {
      name: FLANNEL,
      image: request.images.flannel,
      files: {
        'start.ps1': WINS_FLANNEL_SCRIPT,
        'net-conf.json': flannelConfiguration(request),
        'cni-conf.json': pluginConfiguration(request),
      },
      variables: { SETUP_MODE: request.network === 'flannel-overlay' ? 'overlay' : 'l2bridge' },
      rights: { rules: FLANNEL_RULES },
      pod: winsPod('start.ps1', { hostNetwork: true }),
    },
    request,
  );
}
