import { objectAt, type Json, type JsonObject } from '@fenestra/kernel';
import { objectsAt } from '../json-fields.ts';
import { parseQuantity } from '../quantity.ts';

const COUNTED = ['cpu', 'memory'];

/** How well a pod is treated when its node runs short, by what its containers ask for. */
export function qualityOfService(pod: JsonObject): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const containers = [...objectsAt(pod, 'spec', 'containers'), ...objectsAt(pod, 'spec', 'initContainers')];
  if (containers.every((container) => !asksForAnything(container))) return 'BestEffort';
  return containers.every((container) => isGuaranteed(container)) ? 'Guaranteed' : 'Burstable';
}

function asksForAnything(container: JsonObject): boolean {
  const lists = [objectAt(container, 'resources', 'requests'), objectAt(container, 'resources', 'limits')];
  return lists.some((amounts) => COUNTED.some((resource) => (amountOf(amounts[resource]) ?? 0) > 0));
}

function isGuaranteed(container: JsonObject): boolean {
  const limits = objectAt(container, 'resources', 'limits');
  const requests = objectAt(container, 'resources', 'requests');
  return COUNTED.every((resource) => {
    const limit = amountOf(limits[resource]);
    return limit !== undefined && limit > 0 && (amountOf(requests[resource]) ?? limit) === limit;
  });
}

/** `1` and `1000m` are the same amount. */
function amountOf(quantity: Json | undefined): number | undefined {
  return typeof quantity === 'string' || typeof quantity === 'number' ? parseQuantity(String(quantity)) : undefined;
}
