import { dirname } from 'node:path';
import type { Phase, Step } from '@fenestra/kernel';
import { previousVersion, type DisarmGuard, type RemovePath } from '@fenestra/steps';
import { changedFiles, changesNode, stagingFolder, type RestoreFacts } from '../facts.ts';

/** What was kept for the way back goes once the node works, and so does the guard. */
export const tidyUp: Phase<RestoreFacts> = {
  id: 'tidy-up',
  title: 'Tidy up',
  plan(facts) {
    const { node, layout } = facts;
    const disarm: DisarmGuard = { kind: 'disarm-guard', executable: layout.guardExecutable, pointOfNoReturn: true };
    const removals: readonly Step[] = leftovers(facts).map(remove);
    return node.joined && changesNode(facts) ? [...removals, disarm] : removals;
  },
};

function leftovers(facts: RestoreFacts): readonly string[] {
  const changed = changedFiles(facts);
  if (changed.length === 0) return [];
  const programs = changed.flatMap(({ file, to, presentSha256 }) =>
    file.role === 'executable' && presentSha256 !== null ? [previousVersion(to, presentSha256)] : [],
  );
  return [stagingFolder(facts), ...programs];
}

function remove(path: string): RemovePath {
  return { kind: 'remove-path', path, root: dirname(path), pointOfNoReturn: true };
}
