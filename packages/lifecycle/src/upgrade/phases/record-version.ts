import { versionTag } from '@fenestra/contracts';
import type { Phase, Step } from '@fenestra/kernel';
import type { WriteFile } from '@fenestra/steps';
import { digestOfText } from '@fenestra/steps';
import type { UpgradeFacts } from '../facts.ts';

/** Once this is written the new version is the node's version, and there is no automatic way back. */
export const recordVersion: Phase<UpgradeFacts> = {
  id: 'record-version',
  title: 'Record the version',
  plan({ layout, target, versionFileSha256 }) {
    const content = `${versionTag(target.version)}\n`;
    if (versionFileSha256 === digestOfText(content)) return [];
    const step: WriteFile & Step = { kind: 'write-file', path: layout.versionFile, content, pointOfNoReturn: true };
    return [step];
  },
};
