import type { Phase } from '@fenestra/kernel';
import type { WriteFile } from '@fenestra/steps';
import { recordsVersion, type JoinFacts } from '../join-facts.ts';

/** Which version is installed, for upgrades and for people. */
export const recordVersion: Phase<JoinFacts> = {
  id: 'record-version',
  title: 'Record the version',
  plan(facts) {
    if (!recordsVersion(facts)) return [];
    const { program, layout } = facts;
    const step: WriteFile = { kind: 'write-file', path: layout.versionFile, content: `${program.version}\n` };
    return [step];
  },
};
