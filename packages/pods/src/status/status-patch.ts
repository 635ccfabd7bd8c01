import { sameJson, type Json, type JsonObject } from '@fenestra/kernel';
import type { PodStatus } from '../pod/status-fields.ts';
import { isOwnCondition } from './conditions.ts';

/**
 * The strategic merge patch that turns one status into another, with the uid so that it cannot reach a pod that
 * replaced this one; undefined if nothing differs. Without a status before, it sets everything.
 */
export function statusPatch(before: PodStatus | undefined, after: PodStatus, uid: string): JsonObject | undefined {
  const status = {
    ...plainChanges(before, after),
    ...conditionChanges(before, after),
    ...addressChanges(before, after),
  };
  return Object.keys(status).length === 0 ? undefined : { metadata: { uid }, status };
}

/** Whether the pod became ready or stopped being ready: such a change is reported before others. */
export function changesReadiness(before: PodStatus | undefined, after: PodStatus): boolean {
  return readyOf(before) !== readyOf(after);
}

const MERGED_FIELDS: ReadonlySet<string> = new Set(['conditions', 'podIPs', 'hostIPs']);

/** Fields that a strategic merge patch replaces as a whole, the lists of container statuses among them. */
function plainChanges(before: PodStatus | undefined, after: PodStatus): JsonObject {
  const old = new Map<string, Json | undefined>(Object.entries(before ?? {}));
  const fresh = new Map<string, Json | undefined>(Object.entries(after));
  const changed = [...new Set([...old.keys(), ...fresh.keys()])].filter(
    (field) => !MERGED_FIELDS.has(field) && !sameJson(old.get(field), fresh.get(field)),
  );
  return Object.fromEntries(changed.map((field) => [field, fresh.get(field) ?? null]));
}

function conditionChanges(before: PodStatus | undefined, after: PodStatus): JsonObject {
  const old = before?.conditions ?? [];
  const fresh = after.conditions ?? [];
  const changed = fresh.filter(
    (condition) =>
      !sameJson(
        old.find(({ type }) => type === condition.type),
        condition,
      ),
  );
  const removed = old.filter(({ type }) => isOwnCondition(type) && !fresh.some((condition) => condition.type === type));
  if (changed.length === 0 && removed.length === 0) return {};
  const cleared = changed.map((condition) => {
    const previous = old.find(({ type }) => type === condition.type);
    // A merge keeps what the patch does not name.
    return {
      ...(previous?.reason !== undefined && { reason: null }),
      ...(previous?.message !== undefined && { message: null }),
      ...condition,
    };
  });
  return { conditions: [...cleared, ...removed.map(({ type }) => ({ $patch: 'delete', type }))] };
}

function addressChanges(before: PodStatus | undefined, after: PodStatus): JsonObject {
  const lists = ['podIPs', 'hostIPs'] as const;
  const changes = lists.flatMap((field) => {
    const old = before?.[field] ?? [];
    const fresh = after[field] ?? [];
    if (sameJson(old, fresh)) return [];
    const removed = old.filter(({ ip }) => !fresh.some((address) => address.ip === ip));
    const deletions = removed.map(({ ip }) => ({ $patch: 'delete', ip }));
    const order = fresh.map(({ ip }) => ({ ip }));
    return [
      [`$setElementOrder/${field}`, order],
      [field, [...fresh, ...deletions]],
    ] as const;
  });
  return Object.fromEntries(changes);
}

function readyOf(status: PodStatus | undefined): string | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status;
}
