import type { Phase, Step } from '@fenestra/kernel';
import type { StartService, StopService } from '@fenestra/steps';
import type { ServiceFacts } from '../facts.ts';

/** The service runs, and it is the program that was just put in place. */
export const startService: Phase<ServiceFacts> = {
  id: 'start-service',
  title: 'Start the service',
  plan({ wanted, program, installedSha256, service, registeredAsWanted }): readonly Step[] {
    const start: StartService = { kind: 'start-service', name: wanted.spec.name };
    if (service.state !== 'running') return [start];
    if (registeredAsWanted && installedSha256 === program.sha256) return [];
    const stop: StopService = { kind: 'stop-service', name: wanted.spec.name };
    return [stop, start];
  },
};
