import type { NodeLayout } from '@fenestra/platform';
import type { Guard } from '@fenestra/steps';

interface GuardFacts {
  readonly keadm: Guard['program'];
  readonly layout: Pick<NodeLayout, 'guardExecutable'>;
  readonly root: string | undefined;
}

/** The guard of an edge node. */
export function guardOf({ keadm, layout, root }: GuardFacts): Guard {
  return { program: keadm, executable: layout.guardExecutable, root };
}
