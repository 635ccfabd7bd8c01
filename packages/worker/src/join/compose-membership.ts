import { CRI_SOCKET_ANNOTATION, versionTraits } from '../version-traits.ts';
import { kubeletKubeconfig } from '../discovery/worker-kubeconfigs.ts';
import type { WorkerKubeletConfiguration } from '../kubelet-configuration/worker-kubelet-configuration.ts';
import { currentPair, digestOfText } from '@fenestra/steps';
import { digestIfAny } from '@fenestra/platform';
import type { WorkerMachine } from '../machine/gather-machine.ts';
import { keptPatches, type Membership } from '../worker-record.ts';
import type { WorkerSession } from '../worker-session.ts';
import type { FoundCluster } from './find-cluster.ts';
import type { KubeJoinFacts, KubeJoinWishes, NewMembership, WrittenFile } from './join-facts.ts';
import { flagsText, configureKubelet } from './kubelet-settings.ts';
import { placeOf } from './membership.ts';
import { readPatchFolder } from './patches.ts';

/** What a membership is made of. */
export interface MembershipSource {
  readonly machine: WorkerMachine;
  readonly wishes: KubeJoinWishes;
  readonly nodeName: string;
  readonly criSocket: string;
  readonly kubeletVersion: string;
  readonly found: FoundCluster;
}

/** A membership that is ready to be written. */
export interface ComposedMembership {
  readonly joining: NewMembership;
  readonly membership: Membership;
  readonly healthz: KubeJoinFacts['healthz'];
  readonly warnings: readonly string[];
}

/** Composes everything that makes the machine a worker of the cluster. Changes nothing. */
export async function composeMembership(session: WorkerSession, source: MembershipSource): Promise<ComposedMembership> {
  const reading = await readPatchFolder(source.wishes.configuration.patchesFolder);
  const { machine, criSocket, kubeletVersion: version, found } = source;
  const kubelet = await configureKubelet(session, {
    machine,
    settings: found.settings,
    version,
    criSocket,
    patches: reading.patches,
  });
  return {
    joining: await newMembership(source, kubelet),
    membership: { ...membershipOf(source), ...keptPatches(reading.patches) },
    healthz: kubelet.healthz,
    warnings: [...reading.warnings, ...kubelet.warnings, ...unusedCaPath(source)],
  };
}

async function newMembership(source: MembershipSource, kubelet: WorkerKubeletConfiguration): Promise<NewMembership> {
  const { machine, wishes, criSocket, kubeletVersion, found } = source;
  const { layout } = machine;
  const { server, caBundle, settings } = found;
  const kubeconfig = kubeletKubeconfig({ server, caBundle, certificateFile: currentPair(layout.certificatesFolder) });
  const { criSocketAnnotation } = versionTraits(kubeletVersion, settings.configuration.featureGates);
  return {
    bootstrap: wishes.bootstrap,
    files: await Promise.all(textsOf(source, kubelet).map(async ([path, content]) => written(path, content))),
    kubeconfig: await written(layout.kubeconfig, kubeconfig),
    bootstrapSha256: digestOfText(found.bootstrapKubeconfig),
    replacedBootstrapSha256: (await digestIfAny(layout.bootstrapKubeconfig)) ?? undefined,
    bootstrapSeconds: wishes.configuration.timeouts.tlsBootstrap / 1000,
    labels: wishes.labels,
    annotations: criSocketAnnotation ? { [CRI_SOCKET_ANNOTATION]: criSocket } : {},
  };
}

/** The texts that a kubelet begins with, none of them secret, each with its place. */
function textsOf(
  source: MembershipSource,
  kubelet: WorkerKubeletConfiguration,
): readonly (readonly [string, string])[] {
  const { machine, wishes, nodeName, criSocket, kubeletVersion: version, found } = source;
  const { layout, host } = machine;
  const { taints, kubeletExtraArgs: extraArgs } = wishes.configuration;
  const { configuration: cluster } = found.settings;
  const { os, hostName } = host;
  return [
    [layout.caFile, found.caBundle],
    [layout.kubeletConfig, kubelet.text],
    ...(kubelet.instanceConfig === undefined ? [] : [[layout.instanceConfig, kubelet.instanceConfig] as const]),
    [layout.flagsFile, flagsText({ version, cluster, os, criSocket, nodeName, hostName, taints, extraArgs })],
  ];
}

function membershipOf({ wishes, nodeName, criSocket, found: { server, caBundle } }: MembershipSource): Membership {
  const endpoint = placeOf(wishes.configuration.discovery);
  return { nodeName, endpoint, server, caSha256: digestOfText(caBundle), criSocket };
}

async function written(path: string, content: string): Promise<WrittenFile> {
  return { path, content, replacedSha256: (await digestIfAny(path)) ?? undefined };
}

/** One drive and one place for everything: the CA must be where the kubelet looks for it. */
function unusedCaPath({ machine, wishes }: MembershipSource): readonly string[] {
  const { caCertPath } = wishes.configuration;
  const { caFile } = machine.layout;
  if (caCertPath === undefined || driveless(caCertPath) === driveless(caFile)) return [];
  return [`"caCertPath" is ignored: the CA of the cluster is written to "${caFile}"`];
}

function driveless(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^[a-z]:/i, '')
    .toLowerCase();
}
