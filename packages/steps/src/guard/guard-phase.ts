import type { Phase } from '@fenestra/kernel';
import { armGuard } from './guard-steps.ts';

/** What a guard is made of. */
export interface Guard {
  /** The program that runs this command. */
  readonly program: { readonly path: string; readonly sha256: string };
  readonly executable: string;
  readonly root: string | undefined;
}

/** From here on the node comes back by itself, even if this command dies or the power goes. */
export function armGuardIf<Facts>(isNeeded: (facts: Facts) => boolean, guardOf: (facts: Facts) => Guard): Phase<Facts> {
  return {
    id: 'arm-guard',
    title: 'Arm the guard',
    plan(facts) {
      if (!isNeeded(facts)) return [];
      const { program, executable, root } = guardOf(facts);
      return [armGuard({ from: program.path, sha256: program.sha256, executable, root: root ?? null })];
    },
  };
}
