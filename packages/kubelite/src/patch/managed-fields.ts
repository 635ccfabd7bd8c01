import { isJsonObject, type Json, type JsonObject } from '../objects/json.ts';
import type { KubeObject, ManagedFieldsEntry } from '../objects/kube-object.ts';
import { diffFields } from './field-diff.ts';
import { fromFieldsV1, subtract, toFieldsV1, unionOf, type Fields } from './fields.ts';
import type { ListShapes } from './list-shape.ts';

/** Who changed an object, and how. */
export interface FieldManager {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly time: string;
}

/** One manager and the fields it owns. */
export interface Ownership {
  readonly entry: ManagedFieldsEntry;
  readonly fields: Fields;
}

const SERVER_OWNED = new Set([
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generateName',
  'generation',
  'managedFields',
  'name',
  'namespace',
  'resourceVersion',
  'selfLink',
  'uid',
]);
const MAX_UPDATERS = 10;
const ANCIENT = 'ancient-changes';

/** Gives what an update changed to its manager, and takes it from the others; what is gone no one owns. */
export function recordUpdate(
  previous: JsonObject | undefined,
  next: KubeObject,
  who: FieldManager,
  shapes: ListShapes,
): KubeObject {
  const { changed, removed } = diffFields(previous && ownable(previous), ownable(next), [], shapes);
  let owners: readonly Ownership[] = ownersOf(next).flatMap((owner) => takeFrom(owner, removed));
  if (changed)
    owners = give(
      owners.flatMap((owner) => (isSame(owner.entry, who) ? [owner] : takeFrom(owner, changed))),
      who,
      changed,
    );
  return { ...next, metadata: { ...next.metadata, managedFields: managedFieldsOf(bounded(owners)) } };
}

/** Who owns what, from `metadata.managedFields`. */
export function ownersOf(object: JsonObject): readonly Ownership[] {
  const metadata = object['metadata'];
  const entries: Json | undefined = isJsonObject(metadata) ? metadata['managedFields'] : undefined;
  return Array.isArray(entries)
    ? entries.filter(isEntry).map((entry) => ({ entry, fields: fromFieldsV1(entry.fieldsV1) }))
    : [];
}

/** These owners as `metadata.managedFields` holds them. */
export function managedFieldsOf(owners: readonly Ownership[]): readonly ManagedFieldsEntry[] {
  return owners.map(({ entry, fields }) => ({ ...entry, fieldsV1: toFieldsV1(fields) }));
}

/** Adds fields to a manager's own entry, which is made or dated again. */
function give(owners: readonly Ownership[], who: FieldManager, fields: Fields): readonly Ownership[] {
  const mine = owners.find((owner) => isSame(owner.entry, who));
  const others = owners.filter((owner) => owner !== mine);
  return [...others, { entry: entryOf(who), fields: mine ? unionOf([mine.fields, fields]) : fields }];
}

/** The owner without these fields; no one when none are left. */
export function takeFrom(owner: Ownership, fields: Fields | undefined): readonly Ownership[] {
  if (!fields) return [owner];
  const left = subtract(owner.fields, fields);
  return left ? [{ ...owner, fields: left }] : [];
}

/** The part of an object that someone can own: neither its identity nor what only the server sets. */
export function ownable(object: JsonObject): JsonObject {
  const { metadata, apiVersion: _version, kind: _kind, ...rest } = object;
  if (!isJsonObject(metadata)) return rest;
  const kept = Object.entries(metadata).filter(([key]) => !SERVER_OWNED.has(key));
  return kept.length === 0 ? rest : { metadata: Object.fromEntries(kept), ...rest };
}

/** Whether the entry is this manager's for this way of writing. */
export function isSame(entry: ManagedFieldsEntry, who: FieldManager): boolean {
  return (
    entry.manager === who.manager &&
    entry.operation === who.operation &&
    (entry.subresource ?? '') === who.subresource &&
    entry.apiVersion === who.apiVersion
  );
}

/** The entry of a manager, without its fields. */
export function entryOf(who: FieldManager): ManagedFieldsEntry {
  const { manager, operation, apiVersion, time } = who;
  const entry: ManagedFieldsEntry = { manager, operation, apiVersion, time, fieldsType: 'FieldsV1' };
  return who.subresource === '' ? entry : { ...entry, subresource: who.subresource };
}

/** Names of programs change for ever (pod names, versions): beyond ten, the oldest updaters become one. */
function bounded(owners: readonly Ownership[]): readonly Ownership[] {
  const updaters = owners.filter(({ entry }) => entry.operation === 'Update' && entry.subresource === undefined);
  const surplus = new Set(updaters.slice(0, Math.max(0, updaters.length - MAX_UPDATERS + 1)));
  const [oldest] = surplus;
  if (updaters.length <= MAX_UPDATERS || !oldest) return owners;
  const fields = unionOf([...surplus].map((owner) => owner.fields));
  return [{ entry: { ...oldest.entry, manager: ANCIENT }, fields }, ...owners.filter((owner) => !surplus.has(owner))];
}

function isEntry(value: Json): value is ManagedFieldsEntry {
  return isJsonObject(value) && typeof value['manager'] === 'string' && typeof value['operation'] === 'string';
}
