import { readFile } from 'node:fs/promises';
import { CRI_SOCKET_ANNOTATION, versionTraits } from '../version-traits.ts';
import { flagsEnvText, parseFlagsEnv } from '../kubelet-flags/flags-env.ts';
import { flagsForVersion } from '../kubelet-flags/kubeadm-args.ts';
import { type Patch } from '@fenestra/contracts/kube';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import { digestOfText } from '@fenestra/steps';
import type { ClusterNode } from '@fenestra/session';
import type { ClusterSettings } from '../join/find-cluster.ts';
import { configureKubelet } from '../join/kubelet-settings.ts';
import type { WorkerMachine } from '../machine/gather-machine.ts';
import type { WorkerSession } from '../worker-session.ts';
import type { KubeUpgradeFacts, RefreshedFile } from './upgrade-facts.ts';

/** What the kubelet's files are made of for another version. */
export interface RefreshSource {
  readonly machine: WorkerMachine;
  readonly patches: readonly Patch[];
  readonly settings: ClusterSettings;
  readonly files: readonly PresentFile[];
  readonly criSocket: string;
  readonly targetVersion: string;
}

/** The files that another version wants otherwise, and what follows from them. */
export interface Refreshed extends Pick<KubeUpgradeFacts, 'healthz'> {
  readonly files: readonly RefreshedFile[];
  readonly warnings: readonly string[];
}

/** The kubelet's files as the new version wants them: from the cluster, with the operator's patches. */
export async function refreshFiles(session: WorkerSession, source: RefreshSource): Promise<Refreshed> {
  const { machine, settings, files, criSocket, targetVersion: version } = source;
  const { layout } = machine;
  const kubelet = await configureKubelet(session, { machine, settings, version, criSocket, patches: source.patches });
  const { featureGates } = settings.configuration;
  const flags = flagsEnvText(flagsForVersion(flagsIn(files, machine), { version, featureGates, criSocket }));
  const texts = [
    { path: layout.kubeletConfig, content: kubelet.text },
    ...(kubelet.instanceConfig === undefined ? [] : [{ path: layout.instanceConfig, content: kubelet.instanceConfig }]),
    { path: layout.flagsFile, content: flags },
  ];
  return {
    files: texts.flatMap((file) => changed(file, textOf(files, file.path))),
    healthz: kubelet.healthz,
    warnings: kubelet.warnings,
  };
}

/** A file of the kubelet's, as it is. */
export interface PresentFile {
  readonly path: string;
  readonly text: string | undefined;
}

/** The kubelet's files as they are. */
export async function presentFiles({ layout }: WorkerMachine): Promise<readonly PresentFile[]> {
  const paths = [layout.kubeletConfig, layout.instanceConfig, layout.flagsFile];
  return Promise.all(paths.map(async (path) => ({ path, text: await textIfAny(path) })));
}

async function textIfAny(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    throw fileError(cause, `read "${path}"`);
  });
}

function textOf(files: readonly PresentFile[], path: string): string | undefined {
  return files.find((file) => file.path === path)?.text;
}

function flagsIn(files: readonly PresentFile[], { layout }: WorkerMachine): readonly string[] {
  const text = textOf(files, layout.flagsFile);
  return text === undefined ? [] : parseFlagsEnv(text);
}

function changed(file: Omit<RefreshedFile, 'sha256'>, present: string | undefined): readonly RefreshedFile[] {
  if (present === file.content) return [];
  return [{ ...file, sha256: present === undefined ? undefined : digestOfText(present) }];
}

/** Where the runtime is: one version has it at the node, another does not want it there. */
export function wantedAnnotations(
  { annotations }: ClusterNode,
  {
    settings,
    targetVersion,
    criSocket,
  }: { readonly settings: ClusterSettings; readonly targetVersion: string; readonly criSocket: string },
): Readonly<Record<string, string | null>> {
  const { criSocketAnnotation } = versionTraits(targetVersion, settings.configuration.featureGates);
  const present = annotations[CRI_SOCKET_ANNOTATION];
  if (criSocketAnnotation) return present === criSocket ? {} : { [CRI_SOCKET_ANNOTATION]: criSocket };
  return present === undefined ? {} : { [CRI_SOCKET_ANNOTATION]: null };
}
