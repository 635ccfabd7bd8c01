import { RECOVERY_POLICY, type NodeLayout, type RecoveryPolicy, type ServiceSpec } from '@fenestra/platform';

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
 * The agent of a node that has joined. It is sent nothing but its configuration, so that upstream's agent can take its
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

/** The name the cloud has in every service manager. */
export const CLOUD_SERVICE = 'cloudcore';

/** A program of ours that a service manager runs: the node's agent, or the cloud. */
export interface ProgramService {
  readonly spec: ServiceSpec;
  /** The folder that holds the program. */
  readonly programFolder: string;
  /** Folders it needs, private to the system and its administrators. */
  readonly folders: readonly string[];
  /** The one of them that it fills itself. */
  readonly stateFolder: string;
  /** Files it is configured by. Only those that are missing are written: what an operator changed stays. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
}
