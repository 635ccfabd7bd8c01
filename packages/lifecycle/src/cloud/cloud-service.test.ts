import { expect, test } from 'vitest';
import { agentService } from '../service-program/agent-service.ts';
import { testLayout } from '../testing/test-layout.ts';
import { cloudService } from './cloud-service.ts';

const NODE_LEASE_SECONDS = 40;
const WISHES = {
  advertiseAddresses: ['10.0.0.5'],
  hubPort: 10_000,
  httpsPort: 10_002,
  monitorAddress: '127.0.0.1:9091',
  embeddedAddress: undefined,
  kubeconfig: '/k',
};

test('a cloud that fails is back long before the leases of its nodes run out, the agent after the usual waits', () => {
  const { recovery } = cloudService(testLayout, WISHES).spec;
  expect(recovery.restartDelaysSeconds[0]).toBe(1);
  expect(recovery.restartDelaysSeconds.slice(0, 4).reduce((sum, delay) => sum + delay)).toBeLessThan(
    NODE_LEASE_SECONDS,
  );
  expect(recovery.restartDelaysSeconds.at(-1)).toBe(60);
  expect(agentService(testLayout).spec.recovery.restartDelaysSeconds).toEqual([60, 120, 300]);
});
