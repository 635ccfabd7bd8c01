import type {
  NodeSession,
  OpenNodeCloud,
  OpenWorkerCluster,
  Secrets,
  ScriptedWork,
  ScriptFacts,
} from '@fenestra/session';
import { STEP_HANDLERS } from '@fenestra/steps';
import { journalFolder, type JournalFolder } from '@fenestra/kernel';
import type { KeadmEnvironment } from '../platform.ts';
import { progressPrinter } from '../cli/progress.ts';
import { requireSafeNode } from './input-option.ts';
import type { LifecycleFlags } from './lifecycle-options.ts';

/** Makes ready to change the node: the rights are checked before anything is touched. */
export async function openSession(
  environment: KeadmEnvironment,
  root: string | undefined,
  action: string,
  secrets: Secrets = new Map(),
): Promise<NodeSession> {
  const { host, layout, workerFacts, ...platform } = await environment.loadPlatform(root);
  const { files, access, services, firewall, networks, setup } = platform;
  if (root === undefined) await host.requireElevation(`keadm ${action}`);
  await requireSafeNode(access, layout, root);
  const openCloud: OpenNodeCloud = async (kubeconfig) => (await environment.loadCloud()).openNodeCloud(kubeconfig);
  const openCluster: OpenWorkerCluster = async (cluster) => (await environment.loadCloud()).openWorkerCluster(cluster);
  const print = progressPrinter(environment.terminal);
  return {
    host,
    layout,
    workerFacts,
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

/** A command's work that may have scripts around it. */
export interface SurroundedWork {
  readonly session: NodeSession;
  readonly flags: LifecycleFlags;
  readonly facts: Omit<ScriptFacts, 'os' | 'arch'>;
}

/** The scripts that the operator wants around a command's work, for `withScripts`. */
export async function scriptsAround(
  { loadPlatform }: KeadmEnvironment,
  { session, flags, facts }: SurroundedWork,
): Promise<ScriptedWork> {
  const { root, preRun, postRun, scriptLimit: limitSeconds } = flags;
  const { os, arch } = await session.host.facts();
  const { scripts } = await loadPlatform(root);
  return { wishes: { preRun, postRun, limitSeconds }, scripts, session, facts: { ...facts, os, arch } };
}

/** The journals of the node, without the rights to change them. */
export async function openJournals(
  { loadPlatform, now }: Pick<KeadmEnvironment, 'loadPlatform' | 'now'>,
  root: string | undefined,
): Promise<JournalFolder> {
  const { layout, files } = await loadPlatform(root);
  return journalFolder(layout.journalFolder, files, now);
}
