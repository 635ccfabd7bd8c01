import type { Phase, Step } from '@fenestra/kernel';
import type { StartService, StopService } from '@fenestra/steps';
import { AGENT_SERVICE } from '../agent-spec.ts';
import type { AgentFacts } from '../facts.ts';

/** The agent runs, and it is the program that was just put in place. */
export const startAgent: Phase<AgentFacts> = {
  id: 'start-agent',
  title: 'Start the agent',
  plan({ program, installed, service, registeredAsWanted }): readonly Step[] {
    const start: StartService = { kind: 'start-service', name: AGENT_SERVICE };
    if (service.state !== 'running') return [start];
    if (registeredAsWanted && installed?.sha256 === program.sha256) return [];
    const stop: StopService = { kind: 'stop-service', name: AGENT_SERVICE };
    return [stop, start];
  },
};
