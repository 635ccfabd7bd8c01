import type { Json } from '@fenestra/kernel';
import { listAt, stringAt, valueAt, type JsonObject } from '@fenestra/kube-api';

/** What a pod needs from its namespace, by name and without doubles. */
export interface PodReferences {
  readonly configMaps: readonly string[];
  readonly secrets: readonly string[];
  readonly claims: readonly string[];
}

/** Of a pod that needs nothing. */
export const NO_REFERENCES: PodReferences = { configMaps: [], secrets: [], claims: [] };

/** Finds what a pod needs: in volumes, projected volumes, environments of all its containers, and to pull its images. */
export function podReferences(pod: JsonObject): PodReferences {
  const spec = valueAt(pod, 'spec');
  const volumes = listAt(spec, 'volumes');
  const sources = [...volumes, ...volumes.flatMap((volume) => listAt(volume, 'projected', 'sources'))];
  const containers = CONTAINER_LISTS.flatMap((list) => listAt(spec, list));
  const variables = containers.flatMap((container) => listAt(container, 'env'));
  const environments = containers.flatMap((container) => listAt(container, 'envFrom'));
  return {
    configMaps: unique([
      ...names(sources, 'configMap', 'name'),
      ...names(variables, 'valueFrom', 'configMapKeyRef', 'name'),
      ...names(environments, 'configMapRef', 'name'),
    ]),
    secrets: unique([
      ...SECRET_PATHS.flatMap((path) => names(sources, ...path)),
      ...names(variables, 'valueFrom', 'secretKeyRef', 'name'),
      ...names(environments, 'secretRef', 'name'),
      ...names(listAt(spec, 'imagePullSecrets'), 'name'),
    ]),
    claims: unique(names(volumes, 'persistentVolumeClaim', 'claimName')),
  };
}

const CONTAINER_LISTS = ['containers', 'initContainers', 'ephemeralContainers'];

const SECRET_PATHS = [
  ['secret', 'secretName'],
  ['secret', 'name'],
  ['csi', 'nodePublishSecretRef', 'name'],
  ['azureFile', 'secretName'],
  ...['cephfs', 'flexVolume', 'iscsi', 'rbd', 'scaleIO', 'storageos'].map((kind) => [kind, 'secretRef', 'name']),
];

function names(values: readonly Json[], ...path: readonly string[]): readonly string[] {
  return values.map((value) => stringAt(value, ...path)).filter((name) => name !== '');
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
