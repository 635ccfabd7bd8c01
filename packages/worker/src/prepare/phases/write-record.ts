import type { Phase } from '@fenestra/kernel';
import type { WriteFile } from '@fenestra/steps';
import { recordText } from '../../record/worker-record.ts';
import type { PrepareFacts } from '../prepare-facts.ts';

/** What was made, so that a reset takes away that and nothing else. */
export const writeRecord: Phase<PrepareFacts> = {
  id: 'write-record',
  title: 'Record what was made',
  plan({ recorded, record, layout }) {
    if (recorded) return [];
    const step: WriteFile = { kind: 'write-file', path: layout.recordFile, content: recordText(record) };
    return [step];
  },
};
