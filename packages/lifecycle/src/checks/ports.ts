import { fail, pass } from '@fenestra/steps';
import { AGENT_PORTS } from './facts.ts';
import type { Check } from './check.ts';

/** Whether the agent can listen where others expect it. */
export const ports: Check = {
  name: 'ports',
  judge({ busyPorts, agent }) {
    if (agent.state === 'running') return pass('Not looked at: the agent runs, and the ports are its own');
    if (busyPorts.length === 0) return pass(`Ports ${AGENT_PORTS.join(' and ')} are free`);
    return fail(
      `In use by another program: port ${busyPorts.join(', ')}`,
      'Stop that program, or give it another port.',
    );
  },
};
