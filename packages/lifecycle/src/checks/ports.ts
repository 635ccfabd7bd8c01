import { fail, pass } from '@fenestra/session';
import type { AgentPort } from './agent-ports.ts';
import type { Check } from './check.ts';

/** Whether the agent can listen where its configuration says. */
export const ports: Check = {
  name: 'ports',
  judge({ agentPorts, agent }) {
    if (agent.state === 'running') return pass('Not checked: the agent runs, and the ports are its own');
    if (agentPorts.length === 0) return pass('The agent listens on no port');
    const busy = agentPorts.filter(({ free }) => !free);
    if (busy.length === 0) return pass(`Free: ${agentPorts.map(nameOf).join(', ')}`);
    return fail(`In use by another program: ${busy.map(nameOf).join(', ')}`, 'Stop that program, or set another port.');
  },
};

function nameOf({ port, setting }: AgentPort): string {
  return `port ${port} ("${setting}")`;
}
