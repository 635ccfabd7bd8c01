import { parseDraft } from '../objects/draft.ts';
import { without } from '../objects/json.ts';
import type { KubeObject, ObjectDraft } from '../objects/kube-object.ts';
import { apiVersionOf, type ResourceKind } from '../objects/resource-kind.ts';
import { badRequest, StatusError } from '../objects/status-error.ts';
import { applyShapes, timestamp } from '../objects/writes/environment.ts';
import { managedFieldsOf, type FieldManager } from '../patch/managed-fields.ts';
import { applyConfiguration, type FieldConflict } from '../patch/server-side-apply.ts';
import { refusingPatch } from './patched.ts';

/** A server-side apply on its way. */
export interface Apply {
  readonly kind: ResourceKind;
  readonly configuration: ObjectDraft;
  readonly manager: string;
  readonly force: boolean;
  readonly subresource: string;
  readonly now: Date;
}

/** What an apply makes of an object, or of nothing. Throws 409 with every conflict. */
export function applied(apply: Apply, current: KubeObject | undefined): ObjectDraft {
  const { kind, configuration, force } = apply;
  if (configuration.metadata.managedFields?.length) throw badRequest('metadata.managedFields must be nil');
  const live = current ?? emptyObject(configuration);
  const who = managerOf(apply);
  const options = { force, shapes: applyShapes(kind) };
  const result = refusingPatch(() => applyConfiguration(live, partOf(apply), who, options));
  if (!('object' in result)) throw conflictsOf(kind, configuration, result.conflicts, who);
  const draft = parseDraft(result.object, kind);
  const { resourceVersion = live.metadata.resourceVersion, uid = live.metadata.uid } = configuration.metadata;
  const managedFields = managedFieldsOf(result.owners);
  return { ...draft, metadata: { ...draft.metadata, resourceVersion, uid, managedFields } };
}

function emptyObject({ apiVersion, kind, metadata }: ObjectDraft): KubeObject {
  const { name = '', namespace } = metadata;
  const fresh = { name, uid: '', resourceVersion: '', creationTimestamp: '' };
  return { apiVersion, kind, metadata: namespace === undefined ? fresh : { ...fresh, namespace } };
}

/** An apply of the object leaves status alone, and one of status everything else. */
function partOf({ kind, configuration, subresource }: Apply): ObjectDraft {
  const { apiVersion, kind: name, metadata } = configuration;
  const base = { apiVersion, kind: name, metadata };
  if (subresource === 'status')
    return { ...base, ...(configuration['status'] ? { status: configuration['status'] } : {}) };
  return kind.hasStatus ? { ...without(configuration, 'status'), ...base } : configuration;
}

function managerOf({ kind, manager, subresource, now }: Apply): FieldManager {
  return { manager, operation: 'Apply', apiVersion: apiVersionOf(kind), subresource, time: timestamp(now) };
}

function conflictsOf(
  kind: ResourceKind,
  { metadata }: ObjectDraft,
  conflicts: readonly FieldConflict[],
  who: FieldManager,
): StatusError {
  const causes = conflicts.map(({ field, manager }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with "${manager}" using ${who.apiVersion}`,
    field,
  }));
  const list = causes.map(({ message, field }) => `${message}: ${field}`).join(', ');
  const count = conflicts.length === 1 ? '1 conflict' : `${conflicts.length} conflicts`;
  const details = { name: metadata.name ?? '', group: kind.group, kind: kind.plural, causes };
  return new StatusError(409, 'Conflict', `Apply failed with ${count}: ${list}`, details);
}
