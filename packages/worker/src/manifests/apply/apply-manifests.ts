import { isDeepStrictEqual } from 'node:util';
import { OperatorError } from '@fenestra/kernel';
import { KINDS, type ApiKind, type KubeApi, type KubeObject } from '@fenestra/kube-api';
import { kindOf } from './kind-of.ts';
import { failedInStandIn, inStandIn } from './stand-in.ts';

/** What became, or would become, of one object. */
export interface AppliedManifest {
  readonly action: 'created' | 'updated' | 'unchanged';
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** Who the cluster notes as the owner of the fields we set. */
const FIELD_MANAGER = 'keadm';

/**
 * Brings a cluster to what the manifests say, in their order, by server-side apply; fields that they do not name are
 * left alone. With `dryRun` the server checks all of it strictly and changes nothing.
 */
export async function applyManifests(
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
