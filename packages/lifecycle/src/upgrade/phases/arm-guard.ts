import type { Phase } from '@fenestra/kernel';
import type { ArmGuard } from '@fenestra/steps';
import { isInPlace, type UpgradeFacts } from '../facts.ts';

/** From here on the node comes back by itself, even if this command dies or the power goes. */
export const armGuard: Phase<UpgradeFacts> = {
  id: 'arm-guard',
  title: 'Arm the guard',
  plan(facts) {
    if (isInPlace(facts)) return [];
    const { keadm, layout, root } = facts;
    const step: ArmGuard = {
      kind: 'arm-guard',
      from: keadm.path,
      sha256: keadm.sha256,
      executable: layout.guardExecutable,
      root: root ?? null,
    };
    return [step];
  },
};
