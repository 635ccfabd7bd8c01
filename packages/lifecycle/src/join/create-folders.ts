import type { Phase, Step } from '@fenestra/kernel';
import { claimNode, createFolder, holdName } from '@fenestra/steps';
import type { JoinFacts } from './join-facts.ts';

/** Folders that only the system and its administrators can enter; the program's may be shared with other programs. */
export const createFolders: Phase<JoinFacts> = {
  id: 'create-folders',
  title: 'Create the folders',
  plan({ known, nodeName, cloud, footprint, certificates, singleUseToken, programFolderMissing, layout }) {
    const own: readonly Step[] = known
      ? []
      : [
          claimNode({ nodeName, cloud, ...footprint }),
          holdName({ nodeName, cloud, ...certificates, singleUse: singleUseToken }),
        ];
    return [...own, ...(programFolderMissing ? [createFolder({ path: layout.programFolder })] : [])];
  },
};
