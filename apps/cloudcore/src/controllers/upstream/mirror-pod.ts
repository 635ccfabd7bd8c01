import { listAt, stringAt, valueAt, type JsonObject } from '@fenestra/kube-api';
import { isMirrorPod } from '../known-object.ts';
import { podReferences } from '../pod-references.ts';

/** Why a node may not show this pod as one it runs from its own files; undefined if it may. */
export function mirrorProblem(pod: JsonObject, node: string): string | undefined {
  if (stringAt(pod, 'spec', 'nodeName') !== node) return 'the pod is not its own';
  if (!isMirrorPod(pod)) return 'only pods from its own files may be shown';
  if (!belongsToNode(pod, node)) return 'the pod has another owner than its node';
  return needsOthers(pod) ? 'such a pod may not need a service account, nor anything else of the cluster' : undefined;
}

function belongsToNode(pod: JsonObject, node: string): boolean {
  return listAt(pod, 'metadata', 'ownerReferences').every(
    (owner) =>
      stringAt(owner, 'apiVersion') === 'v1' && stringAt(owner, 'kind') === 'Node' && stringAt(owner, 'name') === node,
  );
}

/** With any of these a node could make the cloud hand it what belongs to others. */
function needsOthers(pod: JsonObject): boolean {
  const { configMaps, secrets, claims } = podReferences(pod);
  const accounts = ['serviceAccountName', 'serviceAccount'].map((field) => stringAt(pod, 'spec', field));
  return (
    accounts.some((account) => account !== '') ||
    listAt(pod, 'spec', 'resourceClaims').length > 0 ||
    listAt(pod, 'spec', 'volumes').some((volume) => SOURCES.some((source) => valueAt(volume, source) !== undefined)) ||
    [...configMaps, ...secrets, ...claims].length > 0
  );
}

const SOURCES = ['configMap', 'secret', 'projected', 'persistentVolumeClaim', 'ephemeral'];
