import { grantedReferences, objectResource, referencedNames, RESOURCE_TYPES } from '@fenestra/contracts';
import { objectAt, stringAt } from '@fenestra/kernel';
import { type Amounts, configMapData, type KeyedData, type Pod, secretData, type VolumeFacts } from '@fenestra/pods';
import type { KubeObject } from '../meta/kube-object.ts';
import type { NodeMemory } from '../meta/node-memory.ts';

const PODS = { group: '', version: 'v1', plural: 'pods' };
const NODES = { group: '', version: 'v1', plural: 'nodes' };

type Memory = Pick<NodeMemory, 'get' | 'query'>;

/** What the containers and volumes of a pod need besides the pod: objects that it refers to, addresses, the node's size. */
export async function podReferences(
  pod: Pod,
  memory: Memory,
  addresses: { readonly podIps: readonly string[]; readonly hostIps: readonly string[] },
  signal: AbortSignal,
): Promise<Omit<VolumeFacts, 'tokens'>> {
  const { namespace, name } = pod.metadata;
  const object = memory.get(PODS, namespace, name);
  const references = object === undefined ? [] : grantedReferences(object);
  const read = async (
    kind: 'ConfigMap' | 'Secret',
    type: string,
    dataOf: (object: KubeObject) => KeyedData,
  ): Promise<ReadonlyMap<string, KeyedData>> => {
    const names = referencedNames(references, kind);
    const found = await Promise.all(
      names.map(async (each) => [each, await find(memory, objectResource(namespace, type, each), signal)] as const),
    );
    return new Map(
      found.flatMap(([each, content]) => (content === undefined ? [] : [[each, dataOf(content)] as const])),
    );
  };
  return {
    ...addresses,
    configMaps: await read('ConfigMap', RESOURCE_TYPES.configMap, configMapData),
    secrets: await read('Secret', RESOURCE_TYPES.secret, secretData),
    claims: new Map(),
    allocatable: allocatableOf(memory.get(NODES, '', pod.spec.nodeName ?? '')),
  };
}

/** What this node has counts when the cloud cannot be asked. */
async function find(memory: Memory, resource: string, signal: AbortSignal): Promise<KubeObject | undefined> {
  return memory.query(resource, signal).catch(() => {
    signal.throwIfAborted();
    return undefined;
  });
}

/** What pods may use of a node. */
export function allocatableOf(node: KubeObject | undefined): Amounts {
  const allocatable = objectAt(node, 'status', 'allocatable');
  return Object.fromEntries(Object.keys(allocatable).map((resource) => [resource, stringAt(allocatable, resource)]));
}
