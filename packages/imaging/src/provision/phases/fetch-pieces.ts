import type { Phase } from '@fenestra/kernel';
import type { CreateFolder, FetchPiece } from '@fenestra/steps';
import type { ProvisionFacts } from '../provision-facts.ts';

/** All that comes from elsewhere is there and proved before anything is installed. */
export const fetchPieces: Phase<ProvisionFacts> = {
  id: 'fetch-pieces',
  title: 'Fetch what comes from elsewhere, and prove it',
  plan({ pieces, layout, node }) {
    if (pieces.length === 0) return [];
    const folder: CreateFolder = { kind: 'create-folder', path: layout.piecesFolder };
    const fetched = pieces.map(({ id, version, location, sha256, signature, to }): FetchPiece => ({
      kind: 'fetch-piece',
      name: `${id} ${version}`,
      location,
      sha256,
      ...(signature === undefined ? {} : { signature }),
      to,
      downloads: node.downloadsFolder,
    }));
    return [folder, ...fetched];
  },
};
