import type { NodePoolConfig } from './pool/schema.ts';
import { stringify } from 'yaml';
import { bootstrapTemplate } from './bootstrap-template.ts';
import { machineDeployment } from './machine-deployment.ts';
import { machineTemplate } from './machine-template.ts';
import type { PoolObject } from './pool-object.ts';
import { poolNotes } from './pool-notes.ts';
import { ADD_ONS_LABEL, resourceSet } from './resource-set.ts';

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
