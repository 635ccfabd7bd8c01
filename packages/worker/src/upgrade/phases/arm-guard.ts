import type { Phase } from '@fenestra/kernel';
import type { ArmGuard } from '@fenestra/steps';
import { isUpToDate, type KubeUpgradeFacts } from '../upgrade-facts.ts';

/** From here on the worker comes back by itself, even if this command dies or the power goes. */
export const armGuard: Phase<KubeUpgradeFacts> = {
  id: 'arm-guard',
  title: 'Arm the guard',
  plan(facts) {
    if (isUpToDate(facts)) return [];
    const { host, node, root } = facts;
    const step: ArmGuard = {
      kind: 'arm-guard',
      from: host.path,
      sha256: host.sha256,
      executable: node.guardExecutable,
      root: root ?? null,
    };
    return [step];
  },
};
