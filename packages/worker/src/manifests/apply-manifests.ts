import { isDeepStrictEqual } from 'node:util';
import { OperatorError } from '@fenestra/kernel';
import {
  type ApiKind,
  apiVersionOf,
  KINDS,
  type KubeApi,
  type KubeObject,
  openKubeApi,
  readServerVersion,
} from '@fenestra/kube-api';

/** What became, or would become, of one object. */
export interface AppliedManifest {
  readonly action: 'created' | 'updated' | 'unchanged';
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

const FIELD_MANAGER = 'keadm';

/** Applies the manifests in their order, on the server. With `dryRun` the server checks them and changes nothing. */
async function applyManifests(
  api: KubeApi,
  objects: readonly KubeObject[],
  { dryRun }: { readonly dryRun: boolean },
  signal: AbortSignal,
): Promise<readonly AppliedManifest[]> {
  const applied: AppliedManifest[] = [];
  for (const object of objects) {
    const { name, namespace } = object.metadata;
    const action = dryRun ? await checkOne(api, object, signal) : await applyOne(api, object, false, signal);
    applied.push({ action, kind: object.kind ?? '', name, ...(namespace === undefined ? {} : { namespace }) });
  }
  return applied;
}

async function applyOne(
  api: KubeApi,
  object: KubeObject,
  dryRun: boolean,
  signal: AbortSignal,
): Promise<AppliedManifest['action']> {
  const kind = kindOf(object);
  const before = await api.find(kind, object.metadata, signal);
  const after = await patch(api, kind, object, dryRun, signal);
  if (before === undefined) return 'created';
  return isDeepStrictEqual(essence(before), essence(after)) ? 'unchanged' : 'updated';
}

async function patch(
  api: KubeApi,
  kind: ApiKind,
  object: KubeObject,
  dryRun: boolean,
  signal: AbortSignal,
): Promise<KubeObject> {
  const how = { type: 'apply', fieldManager: FIELD_MANAGER, force: true, dryRun } as const;
  return api.patch(kind, object.metadata, { ...how, body: object }, signal);
}

async function checkOne(api: KubeApi, object: KubeObject, signal: AbortSignal): Promise<AppliedManifest['action']> {
  const { namespace } = object.metadata;
  if (namespace === undefined || (await api.find(KINDS.namespace, { name: namespace }, signal)) !== undefined)
    return applyOne(api, object, true, signal);
  await applyOne(api, inStandIn(object), true, signal).catch((error: unknown) => {
    throw error instanceof OperatorError && error.code !== 'INTERRUPTED' ? failedInStandIn(object, error) : error;
  });
  return 'created';
}

/** An object without what the server counts and notes by itself. */
function essence({ metadata, status: _status, ...rest }: KubeObject): object {
  const { managedFields: _fields, resourceVersion: _version, generation: _generation, ...meta } = metadata;
  return { ...rest, metadata: meta };
}

const ADMISSION = 'admissionregistration.k8s.io';

const policyKinds = (version: string): readonly ApiKind[] =>
  [
    { kind: 'ValidatingAdmissionPolicy', plural: 'validatingadmissionpolicies' },
    { kind: 'ValidatingAdmissionPolicyBinding', plural: 'validatingadmissionpolicybindings' },
  ].map((names) => ({ ...names, group: ADMISSION, version, namespaced: false }));

const OWN_KINDS: readonly ApiKind[] = [
  { group: 'apps', version: 'v1', kind: 'DaemonSet', plural: 'daemonsets', namespaced: true },
  ...policyKinds('v1'),
  ...policyKinds('v1beta1'),
];

function kindOf({ apiVersion, kind }: KubeObject): ApiKind {
  const kinds = [...Object.values(KINDS), ...OWN_KINDS];
  const found = kinds.find((known) => apiVersionOf(known) === apiVersion && known.kind === kind);
  if (found === undefined) throw new Error(`no such kind: ${apiVersion} ${kind}`);
  return found;
}

/** Where objects are checked whose own namespace is still to be made. */
const STAND_IN = 'kube-system';

/** An object as a server can check it although its namespace is not there: it refuses to, even if it is to change nothing. */
export function inStandIn(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, namespace: STAND_IN } };
}

/** The failure of such a check, in the words of the object that is meant. The server's own come along as its cause. */
export function failedInStandIn({ kind, metadata }: KubeObject, failure: OperatorError): OperatorError {
  const { name, namespace = '' } = metadata;
  const message = `Cannot check ${kind} "${namespace}/${name}": its namespace does not exist yet, and the check in "${STAND_IN}" instead failed`;
  const { code, cause, details } = failure;
  // What an account may do in one namespace says nothing of another.
  const hint =
    code === 'API_FORBIDDEN'
      ? `Make the namespace with "kubectl create namespace ${namespace}", then check again.`
      : failure.hint;
  return new OperatorError(code, message, { hint, cause, details });
}

/** A cluster that manifests are made for. */
export interface ManifestCluster {
  /** `https://host:port`. */
  readonly server: string;
  version(signal: AbortSignal): Promise<string>;
  /** Brings the cluster to what the objects say; with `dryRun` it only checks them. */
  apply(objects: readonly KubeObject[], dryRun: boolean, signal: AbortSignal): Promise<readonly AppliedManifest[]>;
  close(): void;
}

/** Reaches the cluster that a kubeconfig names. */
export async function openManifestCluster(kubeconfigFile: string): Promise<ManifestCluster> {
  const api = await openKubeApi({ kubeconfigFile });
  return {
    server: api.server,
    version: async (signal) => readServerVersion(api, signal),
    apply: async (objects, dryRun, signal) => applyManifests(api, objects, { dryRun }, signal),
    close: () => api.close(),
  };
}
