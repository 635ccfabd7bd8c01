import { stringify } from 'yaml';
import { bootstrapTemplate } from './bootstrap-template.ts';
import { machineDeployment, machineTemplate, metadata, poolName, type PoolObject } from './machines.ts';
import type { NodePoolConfig } from './node-pool-config.ts';

/** Everything a pool consists of, and what its administrator has to know. */
export interface NodePool {
  /** In the order of installation. */
  readonly objects: readonly PoolObject[];
  readonly notes: readonly string[];
}

/** The objects of a pool. The manifests of its network and of kube-proxy, if given, are installed by Cluster API. */
export function nodePool(config: NodePoolConfig, manifests: string | undefined): NodePool {
  return {
    objects: [
      machineTemplate(config),
      bootstrapTemplate(config),
      machineDeployment(config),
      ...(manifests === undefined ? [] : resourceSet(config, manifests)),
    ],
    notes: [...poolNotes(config), ...(manifests === undefined ? [] : [labelNote(config)])],
  };
}

function labelNote({ cluster, namespace = 'default' }: NodePoolConfig): string {
  return `kube-proxy and the network come with a label: kubectl label cluster -n ${namespace} ${cluster} ${ADD_ONS_LABEL}=${cluster}`;
}

/** A pool as one stream of documents for `kubectl apply -f -`, headed by what has to be known about it. */
export function nodePoolYaml({ objects, notes }: NodePool): string {
  const heading = ['A pool of Windows nodes, made by keadm capi template', ...notes].map((line) => `# ${line}\n`);
  const documents = objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false }));
  return [heading.join(''), ...documents].join('---\n');
}

/** The name of a machine ends in a dash and five letters for its set, and a dash and five letters for itself. */
const SUFFIX_LENGTH = 12;
const NETBIOS_LENGTH = 15;

function poolNotes(config: NodePoolConfig): readonly string[] {
  return [...nameNotes(config), ...PROVIDER_NOTES[config.provider], ...trustNotes(config), ...keyNotes(config)];
}

/** Cluster API's provider asks no authority. */
function trustNotes({ vsphere }: NodePoolConfig): readonly string[] {
  if (vsphere === undefined || vsphere.thumbprint !== undefined) return [];
  return ['Without "thumbprint" the provider accepts any server at the address as vCenter.'];
}

/** Windows keeps 15 letters of a name. */
function nameNotes({ name, provider }: NodePoolConfig): readonly string[] {
  if (name.length + SUFFIX_LENGTH <= NETBIOS_LENGTH || provider === 'aws') return [];
  const kept = name.slice(0, 9).replace(/-$/, '');
  return [
    `Names of machines are cut to 15 letters: "${kept}-" and the last five. Pools need names whose first nine letters differ.`,
  ];
}

function keyNotes({ sshKeys = [] }: NodePoolConfig): readonly string[] {
  if (sshKeys.length === 0) return [];
  return [
    'SSH keys go to the profile of "capi": the image must run OpenSSH, and have it look for keys of administrators there.',
  ];
}

const PROVIDER_NOTES: Readonly<Record<NodePoolConfig['provider'], readonly string[]>> = {
  azure: ['Images must name the host before user-data is run; Azure itself does so.'],
  aws: [
    'User-data holds the bootstrap token of 15 minutes: the provider can hide it from Linux only.',
    'Hosts are named after their address; nodes have the whole name.',
  ],
  vsphere: [
    'The template must have cloudbase-init with the service of VMware, which names the host before user-data is run.',
  ],
};

/** A cluster is chosen by a label with its own name: a label for all Windows clusters could reach others. */
const ADD_ONS_LABEL = 'fenestra.dev/windows-network';

/** Lets Cluster API install manifests in the cluster, once there is one. */
function resourceSet(config: NodePoolConfig, manifests: string): readonly PoolObject[] {
  const place = { ...metadata(config), name: `${poolName(config)}-network` };
  return [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: place, data: { 'manifests.yaml': manifests } },
    {
      apiVersion: 'addons.cluster.x-k8s.io/v1beta1',
      kind: 'ClusterResourceSet',
      metadata: place,
      spec: {
        strategy: 'ApplyOnce',
        clusterSelector: { matchLabels: { [ADD_ONS_LABEL]: config.cluster } },
        resources: [{ kind: 'ConfigMap', name: place.name }],
      },
    },
  ];
}
