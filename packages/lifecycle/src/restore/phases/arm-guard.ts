import type { Phase } from '@fenestra/kernel';
import type { ArmGuard } from '@fenestra/steps';
import { changesNode, type RestoreFacts } from '../facts.ts';

/** Where a node is, it comes back by itself from here on, even if this command dies or the power goes. */
export const armGuard: Phase<RestoreFacts> = {
  id: 'arm-guard',
  title: 'Arm the guard',
  plan(facts) {
    const { node, keadm, layout, root } = facts;
    if (!node.joined || !changesNode(facts)) return [];
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
