import type { KubeObject } from '@fenestra/kube-api';
import { flannelObjects } from './flannel.ts';
import { kubeProxyObjects } from './kube-proxy.ts';
import { policyNotes, policyObjects } from './policies.ts';
import type { ManifestRequest } from './manifest-request.ts';
import { winsObjects } from './wins.ts';
import { stringify } from 'yaml';

export { POD_NETWORKS, type ManifestRequest } from './manifest-request.ts';
export { readRequest, type GivenRequest } from './read-request.ts';

/** What a cluster needs for its Windows nodes, and what its administrator has to know. */
export interface WindowsManifests {
  readonly objects: readonly KubeObject[];
  readonly notes: readonly string[];
}

/** Everything that runs on Windows nodes, and the policies if they are wanted. */
export function windowsManifests(request: ManifestRequest): WindowsManifests {
  const { version, policies, wins } = request;
  const programs = wins ? winsObjects(request) : hostProcessObjects(request);
  return {
    objects: [...programs, ...(policies ? policyObjects(version) : [])],
    notes: [...(wins ? WINS_NOTES : networkNotes(request)), ...(policies ? policyNotes(version) : [])],
  };
}

function hostProcessObjects(request: ManifestRequest): readonly KubeObject[] {
  return [...(request.network === 'none' ? [] : flannelObjects(request)), ...kubeProxyObjects(request)];
}

function networkNotes({ network, hnsNetwork, podSubnet }: ManifestRequest): readonly string[] {
  switch (network) {
    case 'flannel-overlay':
      return [
        `The Flannel of the Linux nodes must have the network ${podSubnet} and the backend vxlan with VNI 4096 and port 4789.`,
      ];
    case 'flannel-host-gateway':
      return [
        `The Flannel of the Linux nodes must have the network ${podSubnet} and the backend host-gw; all nodes are in one subnet.`,
      ];
    case 'none':
      return [`kube-proxy waits for the HNS network "${hnsNetwork}", which your network plugin makes on every node.`];
  }
}

const WINS_NOTES: readonly string[] = [
  'DANGER: wins runs any command that a container sends to its pipe as SYSTEM on the host: anyone who can mount that pipe controls the node.',
  'wins has had no such pipe since v0.16; these pods are made for v0.0.4. Leave "--wins" out if the cluster supports HostProcess pods.',
];

/** The manifests as one stream of documents for `kubectl apply -f -`, headed by what has to be known about them. */
export function manifestsYaml({ version, network }: ManifestRequest, { objects, notes }: WindowsManifests): string {
  const heading = [`For Kubernetes ${version}, network ${network}, made by keadm kube manifests`, ...notes];
  const documents = objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false }));
  return [heading.map((line) => `# ${line}\n`).join(''), ...documents].join('---\n');
}
