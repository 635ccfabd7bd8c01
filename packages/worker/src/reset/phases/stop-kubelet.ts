import type { Phase } from '@fenestra/kernel';
import type { StopService } from '@fenestra/steps';
import { KUBELET_SERVICE } from '../../kubelet/index.ts';
import type { KubeResetFacts } from '../reset-facts.ts';

/** A running kubelet would make anew what is taken away. */
export const stopKubelet: Phase<KubeResetFacts> = {
  id: 'stop-kubelet',
  title: 'Stop the kubelet',
  plan({ present, service }) {
    if (!present || service.state === 'absent' || service.state === 'stopped') return [];
    const step: StopService = { kind: 'stop-service', name: KUBELET_SERVICE };
    return [step];
  },
};
