import { OperatorError } from '@fenestra/kernel';
import { pathExists } from '@fenestra/platform';
import { changesService, type ServiceFacts } from './facts.ts';

/**
 * Throws `NODE_CONFLICT` if the agent of a joined node would be replaced or registered anew. That is an upgrade, and wants
 * a backup, a proof and a way back.
 */
export async function refuseJoinedNode(facts: ServiceFacts, configFile: string): Promise<void> {
  if (facts.service.state === 'absent' || !changesService(facts) || !(await pathExists(configFile))) return;
  throw new OperatorError('NODE_CONFLICT', 'Cannot install the agent: this machine is a node already', {
    hint: 'Bring it to another version with "keadm upgrade"; "keadm service start" starts the agent that it has.',
    details: { configuration: configFile },
  });
}
