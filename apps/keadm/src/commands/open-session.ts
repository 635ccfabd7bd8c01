import type { NodeSession, OpenNodeCloud, OpenWorkerCluster, Secrets } from '@fenestra/steps';
import type { KeadmEnvironment } from '../platform.ts';
import { progressPrinter } from '../cli/progress.ts';
import { requireSafeFolders } from './require-safe-paths.ts';

/** Makes ready to change the node: the rights are checked before anything is touched. */
export async function openSession(
  environment: KeadmEnvironment,
  root: string | undefined,
  action: string,
  secrets: Secrets = new Map(),
): Promise<NodeSession> {
  const { host, layout, files, access, services, firewall, networks, setup } = await environment.loadPlatform(root);
  if (root === undefined) await host.requireElevation(`keadm ${action}`);
  const { bookkeepingFolder, configFolder, stateFolder, programFolder } = layout;
  // Outside of a root of its own, the folder of programs is the system's.
  const programs = root === undefined ? [] : [programFolder];
  await requireSafeFolders(access, [bookkeepingFolder, configFolder, stateFolder, ...programs]);
  const openCloud: OpenNodeCloud = async (kubeconfig) => (await environment.loadCloud()).openNodeCloud(kubeconfig);
  const openCluster: OpenWorkerCluster = async (cluster) => (await environment.loadCloud()).openWorkerCluster(cluster);
  const print = progressPrinter(environment.terminal);
  return {
    host,
    layout,
    ports: { host, files, access, services, firewall, networks, setup, secrets, openCloud, openCluster },
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
