export { apiVersionOf, KINDS, pathOf, withType, type ApiKind, type ObjectName } from './api-kind.ts';
export { failureStatus, isGone, refusedError, statusOf, type ApiStatus } from './api-errors.ts';
export { jitteredBackoff, pause } from './backoff.ts';
export { type Informer, type InformerOptions } from './informer/informer.ts';
export { type InformerEvent } from './informer/object-store.ts';
export { type KubeApi, type Patch, type PatchType, type Selection } from './kube-api.ts';
export {
  isJsonObject,
  isKubeObject,
  listAt,
  objectAt,
  stringAt,
  valueAt,
  type JsonObject,
  type KubeObject,
  type ObjectMeta,
} from './kube-object.ts';
export { type KubeApiSource } from './kubeconfig.ts';
export { openKubeApi } from './open-kube-api.ts';
export { readServerVersion } from './server-version.ts';
