import { objectAt, type JsonObject } from '@fenestra/kernel';
import { objectsAt } from '../json-fields.ts';

const COUNTED = ['cpu', 'memory'];

/** How well a pod is treated when its node runs short, by what its containers ask for. */
export function qualityOfService(pod: JsonObject): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const containers = [...objectsAt(pod, 'spec', 'containers'), ...objectsAt(pod, 'spec', 'initContainers')];
  if (containers.every((container) => !asksForAnything(container))) return 'BestEffort';
  return containers.every((container) => isGuaranteed(container)) ? 'Guaranteed' : 'Burstable';
}

function asksForAnything(container: JsonObject): boolean {
  const asked = { ...objectAt(container, 'resources', 'requests'), ...objectAt(container, 'resources', 'limits') };
  return COUNTED.some((resource) => asked[resource] !== undefined);
}

function isGuaranteed(container: JsonObject): boolean {
  const limits = objectAt(container, 'resources', 'limits');
  const requests = objectAt(container, 'resources', 'requests');
  return COUNTED.every(
    (resource) => limits[resource] !== undefined && (requests[resource] ?? limits[resource]) === limits[resource],
  );
}
