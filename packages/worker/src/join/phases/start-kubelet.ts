import type { Phase, Step } from '@fenestra/kernel';
import type { StartService, SweepOnRevert } from '@fenestra/steps';
import { changesService, type KubeJoinFacts } from '../join-facts.ts';

const SWEEP_SECONDS = 120;

/** As soon as it runs, the cluster may give it pods: they must not stay behind if the join fails after all. */
export const startKubelet: Phase<KubeJoinFacts> = {
  id: 'start-kubelet',
  title: 'Start the kubelet',
  plan(facts) {
    if (!changesService(facts)) return [];
    const { spec, joining, criSocket: endpoint, layout } = facts;
    const sweep: SweepOnRevert = {
      kind: 'sweep-on-revert',
      endpoint,
      kubeletFolder: layout.kubeletFolder,
      limitSeconds: SWEEP_SECONDS,
    };
    const start: StartService = { kind: 'start-service', name: spec.name };
    const steps: readonly (Step | false)[] = [joining !== undefined && sweep, start];
    return steps.filter((step) => step !== false);
  },
};
