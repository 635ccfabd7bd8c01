import type { Phase, Step } from '@fenestra/kernel';
import { KUBELET_SERVICE } from '../../kubelet/index.ts';
import type { KubeResetFacts } from '../reset-facts.ts';

/** The service manager forgets the kubelet, if it was keadm that told it. There is no way back from here. */
export const removeService: Phase<KubeResetFacts> = {
  id: 'remove-service',
  title: 'Remove the service',
  plan({ service, ownService }) {
    if (!ownService || service.state === 'absent') return [];
    const step: Step = { kind: 'remove-service', name: KUBELET_SERVICE, pointOfNoReturn: true };
    return [step];
  },
};
