import { win32 } from 'node:path';
import type { Phase, Step } from '@fenestra/kernel';
import { clearFolder, discardPath, previousVersion, replacedFolder } from '@fenestra/steps';
import type { ProvisionFacts, WantedCopy, WantedText } from './provision-facts.ts';

/** What an image does not need is deleted last: until everything is in place it is the way back. */
export const tidyUp: Phase<ProvisionFacts> = {
  id: 'tidy-up',
  title: 'Delete what the image does not need',
  plan: (facts) => [
    ...(facts.pieces.length === 0 ? [] : [discard(facts.layout.piecesFolder)]),
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

/** What the package itself has written, and is replaced, has a digest that nobody knows beforehand. */
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
