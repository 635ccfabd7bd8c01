import type { Phase } from '@fenestra/kernel';
import type { WriteFile } from '@fenestra/steps';
import { placesProgram, type JoinFacts } from '../join-facts.ts';

/** Which version is installed, for upgrades and for people. */
export const recordVersion: Phase<JoinFacts> = {
  id: 'record-version',
  title: 'Record the version',
  plan(facts) {
    const { program, installedVersion, known, layout } = facts;
    const isRecorded = known ? !placesProgram(facts) : installedVersion === program.version;
    if (isRecorded) return [];
    const step: WriteFile = { kind: 'write-file', path: layout.versionFile, content: `${program.version}\n` };
    return [step];
  },
};
