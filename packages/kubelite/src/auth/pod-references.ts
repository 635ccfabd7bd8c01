import { stringAt, type JsonObject } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { objectsAt } from '../kinds/json.ts';

/** Whether a pod needs the ConfigMap of this name in its namespace. */
export function usesConfigMap(pod: KubeObject, name: string): boolean {
  return (
    volumesOf(pod).some((volume) => stringAt(volume, 'configMap', 'name') === name) ||
    projectionsOf(pod).some((source) => stringAt(source, 'configMap', 'name') === name) ||
    environmentNames(pod, 'configMapRef', 'configMapKeyRef').includes(name)
  );
}

/** Whether a pod needs the Secret of this name in its namespace. */
export function usesSecret(pod: KubeObject, name: string): boolean {
  return (
    objectsAt(pod, 'spec', 'imagePullSecrets').some((secret) => secret['name'] === name) ||
    volumesOf(pod).some((volume) => volumeSecrets(volume).includes(name)) ||
    projectionsOf(pod).some((source) => stringAt(source, 'secret', 'name') === name) ||
    environmentNames(pod, 'secretRef', 'secretKeyRef').includes(name)
  );
}

/** Whether a pod runs as the ServiceAccount of this name in its namespace. */
export function usesServiceAccount(pod: KubeObject, name: string): boolean {
  return stringAt(pod, 'spec', 'serviceAccountName') === name;
}

function volumesOf(pod: KubeObject): readonly JsonObject[] {
  return objectsAt(pod, 'spec', 'volumes');
}

function projectionsOf(pod: KubeObject): readonly JsonObject[] {
  return volumesOf(pod).flatMap((volume) => objectsAt(volume, 'projected', 'sources'));
}

/** A secret volume names its secret in a field of its own; drivers have a reference to one. */
function volumeSecrets(volume: JsonObject): readonly string[] {
  const references = Object.keys(volume).flatMap((source) => [
    stringAt(volume, source, 'secretRef', 'name'),
    stringAt(volume, source, 'nodePublishSecretRef', 'name'),
  ]);
  return [stringAt(volume, 'secret', 'secretName'), stringAt(volume, 'azureFile', 'secretName'), ...references];
}

function environmentNames(pod: KubeObject, whole: string, key: string): readonly string[] {
  const lists = ['containers', 'initContainers', 'ephemeralContainers'];
  return lists
    .flatMap((list) => objectsAt(pod, 'spec', list))
    .flatMap((container) => [
      ...objectsAt(container, 'envFrom').map((source) => stringAt(source, whole, 'name')),
      ...objectsAt(container, 'env').map((variable) => stringAt(variable, 'valueFrom', key, 'name')),
    ]);
}
