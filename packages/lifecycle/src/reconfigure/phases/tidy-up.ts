import { dirname } from 'node:path';
import type { Phase } from '@fenestra/kernel';
import { previousVersion, type DisarmGuard, type RemovePath } from '@fenestra/steps';
import type { ReconfigureFacts } from '../facts.ts';
import { needsGuard } from '../needs-guard.ts';

/** The old file goes once nobody needs it for a way back, and so does the guard. */
export const tidyUp: Phase<ReconfigureFacts> = {
  id: 'tidy-up',
  title: 'Tidy up',
  plan(facts) {
    const { writes, layout, presentSha256 } = facts;
    const path = previousVersion(layout.agentConfigFile, presentSha256);
    const forget: RemovePath = { kind: 'remove-path', path, root: dirname(path), pointOfNoReturn: true };
    const disarm: DisarmGuard = { kind: 'disarm-guard', executable: layout.guardExecutable, pointOfNoReturn: true };
    return [...(writes ? [forget] : []), ...(needsGuard(facts) ? [disarm] : [])];
  },
};
