import { RECOVERY_POLICY, type NodeLayout, type ServiceSpec } from '@fenestra/platform';

/** The name the agent has in every service manager. */
export const AGENT_SERVICE = 'edgecore';

/** The agent as the service manager is to know it. */
export function agentSpec(layout: NodeLayout): ServiceSpec {
  return {
    name: AGENT_SERVICE,
    displayName: 'KubeEdge EdgeCore',
    description: 'Runs the workloads and devices of this edge node',
    executable: layout.agentExecutable,
    args: ['--state-folder', layout.stateFolder],
    startType: 'automatic',
    dependencies: [],
    recovery: RECOVERY_POLICY,
    writableFolders: [],
  };
}
