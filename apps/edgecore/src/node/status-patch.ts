import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '@fenestra/kernel';
import type { Resources } from './node-capacity.ts';
import type { NodeStatus } from './node-status.ts';

/**
 * The strategic merge patch that brings the cloud's copy of the status up to date: what differs from `before`, and the
 * conditions in any case, since their heartbeat is the news. Without `before` everything.
 */
export function statusPatch(status: NodeStatus, before: NodeStatus | undefined): JsonObject {
  const { addresses, capacity, allocatable, nodeInfo, daemonEndpoints, conditions } = status;
  const changed = (part: keyof NodeStatus): boolean =>
    before === undefined || !isDeepStrictEqual(status[part], before[part]);
  return {
    status: {
      ...(changed('addresses') ? { addresses: replaced(addresses) } : {}),
      ...(changed('allocatable') ? { allocatable: merged(allocatable, before?.allocatable) } : {}),
      ...(changed('capacity') ? { capacity: merged(capacity, before?.capacity) } : {}),
      conditions,
      ...(changed('daemonEndpoints') ? { daemonEndpoints } : {}),
      ...(changed('nodeInfo') ? { nodeInfo } : {}),
    },
  };
}

/** Whether two statuses say the same, leaving aside when it was said. */
export function saysTheSame(one: NodeStatus, other: NodeStatus): boolean {
  return isDeepStrictEqual(withoutHeartbeats(one), withoutHeartbeats(other));
}

/** Addresses merge by their type, but there may be several of one type: the list is replaced as a whole. */
function replaced(addresses: NodeStatus['addresses']): Json {
  return [...addresses, { $patch: 'replace' }];
}

/** What is no longer there has to be taken out by name. */
function merged(resources: Resources, before: Resources = {}): Json {
  const gone = Object.keys(before).filter((name) => resources[name] === undefined);
  return { ...resources, ...Object.fromEntries(gone.map((name) => [name, null])) };
}

function withoutHeartbeats({ conditions, ...rest }: NodeStatus): unknown {
  return { ...rest, conditions: conditions.map((condition) => ({ ...condition, lastHeartbeatTime: undefined })) };
}
