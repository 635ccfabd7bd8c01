import type { Phase, Step } from '@fenestra/kernel';
import type { ClaimNode, CreateFolder, HoldName } from '@fenestra/steps';
import type { JoinFacts } from '../join-facts.ts';

/** Folders that only the system and its administrators can enter; the program's may be shared with other programs. */
export const createFolders: Phase<JoinFacts> = {
  id: 'create-folders',
  title: 'Create the folders',
  plan({ known, nodeName, cloud, footprint, certificates, singleUseToken, programFolderMissing, layout }) {
    const { folders, traces } = footprint;
    const claim: ClaimNode = { kind: 'claim-node', nodeName, cloud, folders, traces };
    const hold: HoldName = { kind: 'hold-name', nodeName, cloud, ...certificates, singleUse: singleUseToken };
    const shared: CreateFolder = { kind: 'create-folder', path: layout.programFolder };
    const steps: readonly (Step | false)[] = [!known && claim, !known && hold, programFolderMissing && shared];
    return steps.filter((step) => step !== false);
  },
};
