import type { Phase } from '@fenestra/kernel';
import type { ReloadService } from '@fenestra/steps';
import { AGENT_SERVICE } from '../../service-program/agent-service.ts';
import type { ReconfigureFacts } from '../facts.ts';

/** The running agent changes only what the file changes, and keeps the rest up. */
export const reloadAgent: Phase<ReconfigureFacts> = {
  id: 'reload-agent',
  title: 'Have the agent take it up',
  plan({ way, node, writes, presentSha256, wantedSha256 }) {
    if (way !== 'reload') return [];
    const step: ReloadService = {
      kind: 'reload-service',
      name: AGENT_SERVICE,
      stateFolder: node.statusFolder,
      configSha256: writes ? wantedSha256 : presentSha256,
    };
    return [step];
  },
};
