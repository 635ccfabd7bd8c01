import type { Phase, Step } from '@fenestra/kernel';
import type { WriteFile } from '@fenestra/steps';
import { versionText, writesVersion, type UpgradeFacts } from '../facts.ts';

/** Once this is written the new version is the node's version, and there is no automatic way back. */
export const recordVersion: Phase<UpgradeFacts> = {
  id: 'record-version',
  title: 'Record the version',
  plan(facts) {
    if (!writesVersion(facts)) return [];
    const { versionFile: path } = facts.layout;
    const step: WriteFile & Step = {
      kind: 'write-file',
      path,
      content: versionText(facts),
      pointOfNoReturn: true,
    };
    return [step];
  },
};
