import type { Phase, Step } from '@fenestra/kernel';
import type { ClaimNode, CreateFolder } from '@fenestra/steps';
import type { JoinFacts } from '../join-facts.ts';

/** Folders that only the system and its administrators can enter; the program's may be shared with other programs. */
export const createFolders: Phase<JoinFacts> = {
  id: 'create-folders',
  title: 'Create the folders',
  plan({ known, nodeName, cloud, footprint: { folders, traces }, programFolderMissing, layout }) {
    const claim: ClaimNode = { kind: 'claim-node', nodeName, cloud, folders, traces };
    const shared: CreateFolder = { kind: 'create-folder', path: layout.programFolder };
    const steps: readonly (Step | false)[] = [!known && claim, programFolderMissing && shared];
    return steps.filter((step) => step !== false);
  },
};
