import { RECOVERY_POLICY, type NodeLayout, type RecoveryPolicy } from '@fenestra/platform';
import type { ProgramService } from './program-service.ts';

/** The name the agent has in every service manager. */
export const AGENT_SERVICE = 'edgecore';

/** The node's agent as a service. While there is no configuration file it has no cloud to talk to, and idles. */
export function agentService(layout: NodeLayout): ProgramService {
  return {
    spec: {
      name: AGENT_SERVICE,
      displayName: 'KubeEdge EdgeCore',
      description: 'Runs the workloads and devices of this edge node',
      executable: layout.agentExecutable,
      args: ['--config', layout.agentConfigFile, '--state-folder', layout.stateFolder],
      startType: 'automatic',
      dependencies: [],
      recovery: RECOVERY_POLICY,
      writableFolders: [],
    },
    programFolder: layout.programFolder,
    folders: [layout.configFolder, layout.stateFolder, layout.programFolder],
    stateFolder: layout.stateFolder,
    files: [],
  };
}

/**
 * The agent of a node that has joined. It is told nothing but its configuration, so that upstream's agent can take its
 * place.
 */
export function joinedAgentService(layout: NodeLayout, recovery: RecoveryPolicy = RECOVERY_POLICY): ProgramService {
  const { spec, ...rest } = agentService(layout);
  return { ...rest, spec: { ...spec, args: ['--config', layout.agentConfigFile], recovery } };
}

/** The policy the operator chose at the join. A service manager that cannot give it back says that it has no delays. */
export function chosenRecovery(registered: RecoveryPolicy | undefined): RecoveryPolicy {
  return registered === undefined || registered.restartDelaysSeconds.length === 0 ? RECOVERY_POLICY : registered;
}
