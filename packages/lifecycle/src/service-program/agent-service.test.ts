import { RECOVERY_POLICY } from '@fenestra/platform';
import { expect, test } from 'vitest';
import { testLayout } from '../testing/test-layout.ts';
import { chosenRecovery, joinedAgentService } from './agent-service.ts';

test('the restart delays chosen at the join stay when the service is registered again', () => {
  const chosen = { ...RECOVERY_POLICY, restartDelaysSeconds: [5, 30] };
  const { recovery } = joinedAgentService(testLayout, chosen).spec;
  expect(joinedAgentService(testLayout, chosenRecovery(recovery)).spec.recovery).toEqual(chosen);
});

test('where the system does not give the policy back, the usual delays are registered', () => {
  expect(chosenRecovery({ restartDelaysSeconds: [], resetAfterSeconds: 0 })).toEqual(RECOVERY_POLICY);
  expect(chosenRecovery(undefined)).toEqual(RECOVERY_POLICY);
});
