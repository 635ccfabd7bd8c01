import { dirname } from 'node:path';
import type { Phase } from '@fenestra/kernel';
import { previousVersion, type DiscardPath } from '@fenestra/steps';
import type { PrepareFacts } from '../prepare-facts.ts';

/** What was replaced is deleted last: until everything is in place it is the way back. */
export const forgetPrevious: Phase<PrepareFacts> = {
  id: 'forget-previous',
  title: 'Delete what was replaced',
  plan({ programs, host, layout, recorded, replacedRecordSha256 }) {
    return [
      ...programs.filter(({ inPlace }) => !inPlace).flatMap(({ to, replacedSha256 }) => previous(to, replacedSha256)),
      ...(host.installedSha256 === host.sha256 ? [] : previous(layout.hostExecutable, host.installedSha256)),
      ...(recorded ? [] : previous(layout.recordFile, replacedRecordSha256)),
    ];
  },
};

function previous(path: string, digest: string | undefined): readonly DiscardPath[] {
  if (digest === undefined) return [];
  return [{ kind: 'discard-path', path: previousVersion(path, digest), root: dirname(path), pointOfNoReturn: true }];
}
