import { inVersionOf } from '../draft.ts';
import { sameJson, without, type JsonObject } from '../json.ts';
import type { KubeObject, ObjectDraft, ObjectMeta } from '../kube-object.ts';
import { badRequest, conflict, invalid } from '../status-error.ts';
import { contextOf, isUnchanged, requireAllowed, store, storedRef, withOwnership, type Write } from './environment.ts';

const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

/** Stores a new state of an object. Throws 409 when `draft` was made from an older one. A change of nothing writes nothing. */
export function updateObject(write: Write, stored: KubeObject, draft: ObjectDraft): KubeObject {
  const { kind } = write;
  const current = inVersionOf(stored, kind);
  if (draft === stored) return current;
  requireCurrent(write, current, draft);
  const merged = partToChange(write, current, draft);
  const defaulted = kind.defaults?.(merged) ?? merged;
  const prepared = kind.prepareForUpdate?.(defaulted, current, contextOf(write)) ?? defaulted;
  const counted = withGeneration(write, prepared, current);
  if (isUnchanged(counted, current) && sameOwners(write, counted, current)) return current;
  const owned = withOwnership(write, counted, current);
  requireAllowed(write, owned, current);
  return isFinished(owned) ? finish(write, owned) : store(write, owned);
}

/** Whether nothing holds a deleted object back any more. */
export function isFinished({ metadata }: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = metadata;
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && finalizers.length === 0;
}

/** Removes an object in its last state, which its watchers get to see. */
function finish(write: Write, object: KubeObject): KubeObject {
  if (write.options.dryRun) return object;
  const { namespace = '', name } = object.metadata;
  return write.writer.remove(storedRef(write.kind, { namespace, name })) ?? object;
}

function requireCurrent({ kind }: Write, current: KubeObject, { metadata }: ObjectDraft): void {
  const { name } = current.metadata;
  if (metadata.name !== undefined && metadata.name !== name)
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  if (metadata.uid && metadata.uid !== current.metadata.uid)
    throw conflict(
      kind,
      name,
      `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${current.metadata.uid}`,
    );
  if (metadata.resourceVersion && metadata.resourceVersion !== current.metadata.resourceVersion)
    throw conflict(kind, name, MODIFIED);
}

/** The draft, with everything that this way of writing may not touch taken from what is stored. */
function partToChange(write: Write, current: KubeObject, draft: ObjectDraft): KubeObject {
  const { kind, options } = write;
  const metadata = mergedMeta(write, current.metadata, draft.metadata);
  if (options.subresource === 'status') {
    const meta = kind.strategicMerge ? metadata : { ...current.metadata, ...pick(metadata, 'managedFields') };
    return withField({ ...current, metadata: meta }, 'status', draft);
  }
  const next: KubeObject = { ...draft, metadata };
  return kind.hasStatus && !options.subresource ? withField(next, 'status', current) : next;
}

function withField(object: KubeObject, key: string, source: JsonObject): KubeObject {
  const { apiVersion, kind, metadata } = object;
  const rest = without(object, key);
  const value = source[key];
  return { ...rest, ...(value === undefined ? {} : { [key]: value }), apiVersion, kind, metadata };
}

/** Identity, dates and counts are the server's; finalizers can only go once an object is being deleted. */
function mergedMeta({ kind }: Write, current: ObjectMeta, draft: ObjectDraft['metadata']): ObjectMeta {
  const known = new Set(current.finalizers);
  const added = (draft.finalizers ?? []).filter((finalizer) => !known.has(finalizer));
  if (current.deletionTimestamp !== undefined && added.length > 0) {
    const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`;
    throw invalid(kind, current.name, [{ field: 'metadata.finalizers', reason: 'FieldValueForbidden', message }]);
  }
  const { selfLink: _link, generation: _generation, deletionTimestamp: _when, ...rest } = draft;
  const { deletionGracePeriodSeconds: _grace, ...changeable } = rest;
  const { name, uid, resourceVersion, creationTimestamp } = current;
  const kept = pick(
    current,
    'namespace',
    'generateName',
    'generation',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  );
  const owners = draft.managedFields === undefined ? pick(current, 'managedFields') : {};
  return { ...changeable, ...owners, ...kept, name, uid, resourceVersion, creationTimestamp };
}

function pick(meta: ObjectMeta, ...keys: readonly (keyof ObjectMeta)[]): Partial<ObjectMeta> {
  return Object.fromEntries(keys.flatMap((key) => (meta[key] === undefined ? [] : [[key, meta[key]]])));
}

function withGeneration({ kind }: Write, next: KubeObject, current: KubeObject): KubeObject {
  if (!kind.hasGeneration || sameJson(specOf(next), specOf(current))) return next;
  return { ...next, metadata: { ...next.metadata, generation: (current.metadata.generation ?? 0) + 1 } };
}

function specOf(object: KubeObject): JsonObject {
  const { metadata: _metadata, status: _status, apiVersion: _version, ...spec } = object;
  return spec;
}

function sameOwners({ options }: Write, next: KubeObject, current: KubeObject): boolean {
  if (options.ownership === 'given') return sameJson(withoutTimes(next), withoutTimes(current));
  return sameJson(next.metadata.managedFields ?? [], current.metadata.managedFields ?? []);
}

function withoutTimes({ metadata }: KubeObject): readonly JsonObject[] {
  return (metadata.managedFields ?? []).map((entry) => without(entry, 'time'));
}
