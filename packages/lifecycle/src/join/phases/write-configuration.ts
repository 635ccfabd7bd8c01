import type { Phase } from '@fenestra/kernel';
import type { WriteSecret } from '@fenestra/steps';
import { CONFIGURATION_SECRET } from '../../node/configuration-secret.ts';
import type { JoinFacts } from '../join-facts.ts';

/** The configuration may hold passwords, so the journal gets its digest alone. One that is there is the operator's. */
export const writeConfiguration: Phase<JoinFacts> = {
  id: 'write-configuration',
  title: 'Write the configuration',
  plan({ known, layout, configurationSha256 }) {
    if (known) return [];
    const step: WriteSecret = {
      kind: 'write-secret',
      path: layout.agentConfigFile,
      secret: CONFIGURATION_SECRET,
      sha256: configurationSha256,
    };
    return [step];
  },
};
