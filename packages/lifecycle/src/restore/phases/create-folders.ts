import { dirname } from 'node:path';
import type { Phase, Step } from '@fenestra/kernel';
import type { ClaimNode, CreateFolder } from '@fenestra/steps';
import type { RestoreFacts } from '../facts.ts';

/** Folders that only the system and its administrators can enter. Where no node was, a failure takes all of them away again. */
export const createFolders: Phase<RestoreFacts> = {
  id: 'create-folders',
  title: 'Create the folders',
  plan({ node, manifest, config, footprint, missingFolders }) {
    if (node.joined) return missingFolders.map(createFolder);
    const { folders, traces } = footprint;
    const claim: ClaimNode = {
      kind: 'claim-node',
      nodeName: manifest.nodeName,
      cloud: config.modules.edgeHub.httpServer,
      folders,
      traces,
    };
    const claimed = [...folders, ...traces.map((path) => dirname(path))];
    const others: readonly Step[] = missingFolders.filter((folder) => !claimed.includes(folder)).map(createFolder);
    return [claim, ...others];
  },
};

function createFolder(path: string): CreateFolder {
  return { kind: 'create-folder', path };
}
