import { win32 } from 'node:path';
import type { Phase, Step } from '@fenestra/kernel';
import {
  addToSearchPath,
  clearFolder,
  createFolder,
  discardPath,
  enableFeature,
  fetchPiece,
  placeExecutable,
  previousVersion,
  replacedFolder,
  setRegistryValue,
  writeFile,
} from '@fenestra/steps';
import { installCloudbase } from './cloudbase.ts';
import { installContainerd } from './containerd.ts';
import { contentOf } from './image-parts.ts';
import type { ProvisionFacts, WantedCopy, WantedText } from './provision-facts.ts';

/** What an image does not need is deleted last: until everything is in place it is the rollback. */
const tidyUp: Phase<ProvisionFacts> = {
  id: 'tidy-up',
  title: 'Delete what the image does not need',
  plan: (facts) => [
    ...(facts.downloads.length === 0 ? [] : [discard(facts.layout.stagingFolder)]),
    ...(facts.containerdInPlace || !facts.replacesContainerd
      ? []
      : [discard(replacedFolder(facts.layout.containerdFolder))]),
    ...[facts.containerdConfig, facts.provenance, ...(facts.cloudbaseInPlace ? facts.cloudbaseTexts : [])].flatMap(
      replaced,
    ),
    ...(facts.cloudbaseInPlace ? [] : foldersOf(facts.cloudbaseTexts).map(clearPrevious)),
    ...facts.copies.flatMap(replacedCopy),
  ],
};

function foldersOf(texts: readonly WantedText[]): readonly string[] {
  return [...new Set(texts.map(({ path }) => win32.dirname(path)))];
}

/** The digest of a file that the package wrote, and that is replaced, is unknown. */
function clearPrevious(folder: string): Step {
  return clearFolder({ folder, names: ['previous-*'], removeFolder: false });
}

function replaced({ path, isCurrent, replacedSha256 }: WantedText): readonly Step[] {
  return isCurrent || replacedSha256 === undefined ? [] : [discard(previousVersion(path, replacedSha256))];
}

function replacedCopy({ to, sha256, installedSha256 }: WantedCopy): readonly Step[] {
  if (installedSha256 === undefined || installedSha256 === sha256) return [];
  return [discard(previousVersion(to, installedSha256))];
}

function discard(path: string): Step {
  return discardPath({ path, root: win32.dirname(path) });
}

/** The phases before a worker's own: all downloads are verified before the first of them is used. */
export const BEFORE_ROLE: readonly Phase<ProvisionFacts>[] = [
  {
    id: 'fetch-pieces',
    title: 'Download and verify all parts',
    plan({ downloads, layout, node: { downloadsFolder } }) {
      if (downloads.length === 0) return [];
      const fetched = downloads.map(({ id, version, location, sha256, signature, to }) => {
        const proof = signature === undefined ? { sha256 } : { sha256, signature };
        return fetchPiece({ name: `${id} ${version}`, location, ...proof, to, downloads: downloadsFolder });
      });
      return [createFolder({ path: layout.stagingFolder }), ...fetched];
    },
  },
  {
    // Folders that only the system and its administrators can enter, before anything is put into them.
    id: 'create-image-folders',
    title: 'Create the folders',
    plan: ({ missingFolders }) => missingFolders.map((path) => createFolder({ path })),
  },
  installContainerd,
  {
    // keadm, which user-data calls by its name, and the agent of an edge node: so that a join has nothing to fetch.
    id: 'place-own-programs',
    title: 'Place keadm and its programs',
    plan: ({ copies }) =>
      copies
        .filter(({ sha256, installedSha256 }) => sha256 !== installedSha256)
        .flatMap(({ from, to, sha256 }) => [
          createFolder({ path: win32.dirname(to) }),
          placeExecutable({ from, to, sha256 }),
        ]),
  },
];

/** The phases after a worker's own. The provenance is written when it is true. */
export const AFTER_ROLE: readonly Phase<ProvisionFacts>[] = [
  installCloudbase,
  {
    id: 'set-up-system',
    title: 'Set Windows up for containers',
    plan: ({ features, registry, searchFolders }) => [
      ...features.map(enableFeature),
      ...registry.map((setting) => {
        const { key, name } = setting;
        return setRegistryValue({ key, name, content: contentOf(setting) });
      }),
      ...searchFolders.map((folder) => addToSearchPath({ folder })),
    ],
  },
  {
    id: 'write-provenance',
    title: 'Record what the image is made of',
    plan: ({ provenance: { path, content, isCurrent } }) => (isCurrent ? [] : [writeFile({ path, content })]),
  },
  tidyUp,
];
