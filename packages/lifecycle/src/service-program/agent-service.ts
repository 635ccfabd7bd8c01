import { RECOVERY_POLICY, type NodeLayout } from '@fenestra/platform';
import type { ProgramService } from './program-service.ts';

/** The name the agent has in every service manager. */
export const AGENT_SERVICE = 'edgecore';

/** The node's agent as a service. */
export function agentService(layout: NodeLayout): ProgramService {
  return {
    spec: {
      name: AGENT_SERVICE,
      displayName: 'KubeEdge EdgeCore',
      description: 'Runs the workloads and devices of this edge node',
      executable: layout.agentExecutable,
      args: ['--state-folder', layout.stateFolder],
      startType: 'automatic',
      dependencies: [],
      recovery: RECOVERY_POLICY,
      writableFolders: [],
    },
    programFolder: layout.programFolder,
    folders: [layout.configFolder, layout.stateFolder, layout.programFolder],
    files: [],
  };
}
