import type { JsonObject, KubeObject } from '@fenestra/kube-api';
import { hostProcessPod } from '../parts/host-process.ts';
import { CNI } from '../parts/node-paths.ts';
import { partObjects } from '../parts/part-objects.ts';
import type { ManifestRequest } from '../request/manifest-request.ts';
import { flannelConfiguration, pluginConfiguration } from './network-files.ts';
import { FLANNEL_SCRIPT } from './start-script.ts';

/** The part's name: of its namespace, its account and everything else. */
export const FLANNEL = 'kube-flannel-windows';

/** What Flannel does in a cluster: it learns the subnets of all nodes, and notes at its own how to reach it. */
export const FLANNEL_RULES: readonly JsonObject[] = [
  { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: [''], resources: ['nodes/status'], verbs: ['patch'] },
];

/** Flannel on every Windows node, beside the one of the Linux nodes. */
export function flannelObjects(request: ManifestRequest): readonly KubeObject[] {
  return partObjects(
    {
      name: FLANNEL,
      image: request.images.flannel,
      files: {
        'start.ps1': FLANNEL_SCRIPT,
        'net-conf.json': flannelConfiguration(request),
        'cni-conf.json': pluginConfiguration(request),
      },
      variables: { CNI_PATH: CNI.programs, CNI_CONFIGURATION: CNI.configuration },
      rights: { rules: FLANNEL_RULES },
      pod: hostProcessPod('start.ps1'),
    },
    request,
  );
}
