import type { Phase, Step } from '@fenestra/kernel';
import type { WriteFile } from '@fenestra/steps';
import { recordText } from '../../record/worker-record.ts';
import { isUpToDate, type KubeUpgradeFacts } from '../upgrade-facts.ts';

/** Once this is written the new version is the worker's version, and there is no automatic way back. */
export const recordVersion: Phase<KubeUpgradeFacts> = {
  id: 'record-version',
  title: 'Record the version',
  plan(facts) {
    const { recorded, record, layout } = facts;
    // Patches that are not laid over anything must not be remembered as if they were.
    if (recorded || isUpToDate(facts)) return [];
    const { recordFile: path } = layout;
    const step: WriteFile & Step = { kind: 'write-file', path, content: recordText(record), pointOfNoReturn: true };
    return [step];
  },
};
