import type { NodeSession, OpenNodeCloud, OpenWorkerCluster, Secrets } from '@fenestra/session';
import { STEP_HANDLERS } from '@fenestra/steps';
import type { KeadmEnvironment } from '../platform.ts';
import { progressPrinter } from '../cli/progress.ts';
import { requireSafeNode } from './require-safe-paths.ts';

/** Makes ready to change the node: the rights are checked before anything is touched. */
export async function openSession(
  environment: KeadmEnvironment,
  root: string | undefined,
  action: string,
  secrets: Secrets = new Map(),
): Promise<NodeSession> {
  const { host, layout, files, access, services, firewall, networks, setup } = await environment.loadPlatform(root);
  if (root === undefined) await host.requireElevation(`keadm ${action}`);
  await requireSafeNode(access, layout, root);
  const openCloud: OpenNodeCloud = async (kubeconfig) => (await environment.loadCloud()).openNodeCloud(kubeconfig);
  const openCluster: OpenWorkerCluster = async (cluster) => (await environment.loadCloud()).openWorkerCluster(cluster);
  const print = progressPrinter(environment.terminal);
  return {
    host,
    layout,
    ports: { host, files, access, services, firewall, networks, setup, secrets, openCloud, openCluster },
    handlers: STEP_HANDLERS,
    programVersion: environment.version,
    executable: environment.executable,
    root,
    now: environment.now,
    onEvent(event) {
      print(event);
      environment.onEvent(event);
    },
  };
}
