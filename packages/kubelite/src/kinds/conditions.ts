import { arrayAt, stringAt, type JsonObject } from '../objects/json.ts';
import { objectsAt } from './json.ts';

/** What a condition says. */
export interface ConditionUpdate {
  readonly type: string;
  readonly status: 'False' | 'True' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
}

/** The condition of a type in a status, if it is there. */
export function conditionOf(status: JsonObject, type: string): JsonObject | undefined {
  return objectsAt(status, 'conditions').find((condition) => condition['type'] === type);
}

/** A copy of a status with one condition set. The time of transition moves only when the condition's status does. */
export function withCondition(status: JsonObject, update: ConditionUpdate, now: Date): JsonObject {
  const previous = conditionOf(status, update.type);
  const same = previous?.['status'] === update.status;
  const since = same ? stringAt(previous, 'lastTransitionTime') : timestamp(now);
  const { reason: _reason, message: _message, ...kept } = previous ?? {};
  const condition: JsonObject = { ...kept, ...update, lastTransitionTime: since };
  const conditions = arrayAt(status, 'conditions');
  const replaced = conditions.map((other) => (stringAt(other, 'type') === update.type ? condition : other));
  return { ...status, conditions: previous === undefined ? [...conditions, condition] : replaced };
}

/** A time as Kubernetes writes it: whole seconds, UTC. */
export function timestamp(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
