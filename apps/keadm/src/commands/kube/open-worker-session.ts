import type { Secrets } from '@fenestra/session';
import type { WorkerSession } from '@fenestra/worker';
import type { KeadmEnvironment } from '../../platform.ts';
import { openSession } from '../open-session.ts';
import { requireSafePaths } from '../input-option.ts';

/** Makes ready to change this machine as a plain Kubernetes worker. */
export async function openWorkerSession(
  environment: KeadmEnvironment,
  root: string | undefined,
  action: string,
  secrets: Secrets = new Map(),
): Promise<WorkerSession> {
  const session = await openSession(environment, root, `kube ${action}`, secrets);
  const { workerLayout, workerFacts, firewall, networks } = await environment.loadPlatform(root);
  // Outside of its root, they are as the system and Kubernetes have made them.
  if (root !== undefined) await requireSafePaths(session.ports.access, Object.values(workerLayout));
  return {
    ...session,
    ports: {
      ...session.ports,
      firewall,
      networks,
      openCluster: async (access) => (await environment.loadCloud()).openWorkerCluster(access),
    },
    worker: workerLayout,
    workerFacts,
    discover: async (...wanted) => (await environment.loadCloud()).discoverCluster(...wanted),
    say: (text) => environment.terminal.err(`          ${text}\n`),
  };
}
