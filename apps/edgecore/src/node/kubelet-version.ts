/** The Kubernetes whose kubelet behaviour this agent follows; KubeEdge v1.23 builds on the same. */
const KUBERNETES_VERSION = 'v1.32.10';

/** What a node says its kubelet's version is, in upstream's form: the Kubernetes version, then the agent's. */
export function kubeletVersion(agentVersion: string): string {
  return `${KUBERNETES_VERSION}-kubeedge-v${agentVersion.replace(/^v/, '')}`;
}
