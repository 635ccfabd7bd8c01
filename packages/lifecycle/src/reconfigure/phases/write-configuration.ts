import type { Phase } from '@fenestra/kernel';
import type { ReloadOnRevert, WriteSecret } from '@fenestra/steps';
import { CONFIGURATION_SECRET } from '../../node/configuration-secret.ts';
import { AGENT_SERVICE } from '../../service-program/agent-service.ts';
import type { ReconfigureFacts } from '../facts.ts';

/** The new file takes the place of the old one in one move; a running agent goes back with it if need be. */
export const writeConfiguration: Phase<ReconfigureFacts> = {
  id: 'write-configuration',
  title: 'Write the configuration',
  plan({ writes, way, layout, node, wantedSha256 }) {
    if (!writes) return [];
    const path = layout.agentConfigFile;
    const write: WriteSecret = { kind: 'write-secret', path, secret: CONFIGURATION_SECRET, sha256: wantedSha256 };
    if (way !== 'reload') return [write];
    const back: ReloadOnRevert = {
      kind: 'reload-on-revert',
      name: AGENT_SERVICE,
      stateFolder: node.statusFolder,
      configFile: path,
    };
    return [back, write];
  },
};
