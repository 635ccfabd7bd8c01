import type { Proof } from '@fenestra/steps';
import { AGENT_SERVICE } from '../service-program/agent-service.ts';
import type { UpgradeFacts } from './facts.ts';

/** What the agent has to prove after a change of version. */
export function proofOf({ node, layout, wishes, restoring }: UpgradeFacts, agent: Proof['agent']): Proof {
  return {
    service: AGENT_SERVICE,
    stateFolder: restoring?.statusFolder ?? node.statusFolder,
    logFile: layout.agentLogFile,
    agent,
    wants: node.agent?.node?.ready === 'True' ? 'ready' : 'connected',
    limitSeconds: wishes.limitSeconds,
    settleSeconds: wishes.settleSeconds,
  };
}
