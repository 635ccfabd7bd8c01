import type { RecoveryPolicy } from '@fenestra/platform';
import type { FailureActionsArgument, FailureActionsRecord } from '../bindings/advapi32-service-extras.ts';
import type { Pointer, Native } from '../native.ts';
import { sizedQuery } from './service-settings.ts';

const FAILURE_ACTIONS = 2;
const RESTART = 1;
const NO_ACTION = { type: 0, delay: 0 } as const;

/** No one brings the service back. */
export const NO_RECOVERY: RecoveryPolicy = { restartDelaysSeconds: [], resetAfterSeconds: 0 };

/** The policy the system holds for an open service; `undefined` where it does not give it back. */
export function readRecovery(native: Native, service: Pointer): RecoveryPolicy | undefined {
  const call = (buffer: Buffer | null, size: number, needed: [number]) =>
    native.services.QueryServiceConfig2W(service, FAILURE_ACTIONS, buffer, size, needed);
  const buffer = sizedQuery(native, call, 'read the recovery policy of a service');
  return buffer === undefined ? undefined : toPolicy(native.services.decodeFailureActions(buffer));
}

/** The restarts among the failure actions, as a policy. */
export function toPolicy(record: FailureActionsRecord): RecoveryPolicy {
  const restarts = record.actions.filter((action) => action.type === RESTART);
  return {
    restartDelaysSeconds: restarts.map((action) => action.delay / 1000),
    resetAfterSeconds: record.resetSeconds,
  };
}

/**
 * A policy, as failure actions. Windows repeats the last one too. One without restarts is expressed by an action that does
 * nothing, because an empty list can be taken for "leave them as they are".
 */
export function toFailureActions(policy: RecoveryPolicy): FailureActionsArgument {
  const restarts = policy.restartDelaysSeconds.map((seconds) => ({ type: RESTART, delay: seconds * 1000 }));
  const actions = restarts.length === 0 ? [NO_ACTION] : restarts;
  return { resetSeconds: policy.resetAfterSeconds, rebootMessage: null, command: null, count: actions.length, actions };
}
