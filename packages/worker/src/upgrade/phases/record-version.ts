import type { Phase, Step } from '@fenestra/kernel';
import type { WriteFile } from '@fenestra/steps';
import { recordText } from '../../record/worker-record.ts';
import type { KubeUpgradeFacts } from '../upgrade-facts.ts';

/** Once this is written the new version is the worker's version, and there is no automatic way back. */
export const recordVersion: Phase<KubeUpgradeFacts> = {
  id: 'record-version',
  title: 'Record the version',
  plan({ recorded, record, layout }) {
    if (recorded) return [];
    const { recordFile: path } = layout;
    const step: WriteFile & Step = { kind: 'write-file', path, content: recordText(record), pointOfNoReturn: true };
    return [step];
  },
};
