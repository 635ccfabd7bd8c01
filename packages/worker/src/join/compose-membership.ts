import { existsSync } from 'node:fs';
import { CRI_SOCKET_ANNOTATION, kubeletKubeconfig, versionTraits } from '@fenestra/contracts/kube';
import { currentPair, digestIfAny, digestOfText } from '@fenestra/steps';
import type { WorkerMachine } from '../machine/gather-machine.ts';
import { machineSettings } from '../machine/machine-settings.ts';
import type { Membership } from '../record/worker-record.ts';
import type { WorkerSession } from '../worker-session.ts';
import type { FoundCluster } from './find-cluster.ts';
import type { KubeJoinFacts, NewMembership, WrittenFile } from './join-facts.ts';
import type { KubeJoinWishes } from './join-wishes.ts';
import { flagsText, kubeletConfiguration } from './kubelet-settings.ts';
import { placeOf } from './membership.ts';
import { readPatchFolder } from './read-patch-folder.ts';

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
  const { machine, wishes, nodeName, criSocket, kubeletVersion, found } = source;
  const { layout, host } = machine;
  const { server, caBundle, settings } = found;
  const { configuration } = wishes;
  const reading = await readPatchFolder(configuration.patchesFolder);
  const worker = { os: host.os, version: kubeletVersion, criSocket, cluster: settings.configuration };
  const kubelet = kubeletConfiguration({
    ...worker,
    ...(await machineSettings(session)),
    layout,
    kubeletText: settings.kubeletText,
    patches: reading.patches,
    hasFile: existsSync,
  });
  const { taints, kubeletExtraArgs: extraArgs } = configuration;
  const flags = flagsText({ ...worker, nodeName, hostName: host.hostName, taints, extraArgs });
  const texts = [
    [layout.caFile, caBundle],
    [layout.kubeletConfig, kubelet.text],
    ...(kubelet.instanceConfig === undefined ? [] : [[layout.instanceConfig, kubelet.instanceConfig] as const]),
    [layout.flagsFile, flags],
  ] as const;
  const { criSocketAnnotation } = versionTraits(kubeletVersion, settings.configuration.featureGates);
  return {
    joining: {
      bootstrap: wishes.bootstrap,
      files: await Promise.all(texts.map(async ([path, content]) => written(path, content))),
      kubeconfig: await written(
        layout.kubeconfig,
        kubeletKubeconfig({ server, caBundle, certificateFile: currentPair(layout.certificatesFolder) }),
      ),
      bootstrapSha256: digestOfText(found.bootstrapKubeconfig),
      replacedBootstrapSha256: (await digestIfAny(layout.bootstrapKubeconfig)) ?? undefined,
      bootstrapSeconds: configuration.timeouts.tlsBootstrap / 1000,
      labels: wishes.labels,
      annotations: criSocketAnnotation ? { [CRI_SOCKET_ANNOTATION]: criSocket } : {},
    },
    membership: {
      nodeName,
      endpoint: placeOf(configuration.discovery),
      server,
      caSha256: digestOfText(caBundle),
      criSocket,
    },
    healthz: kubelet.healthz,
    warnings: [...reading.warnings, ...kubelet.warnings, ...unusedCaPath(source)],
  };
}

async function written(path: string, content: string): Promise<WrittenFile> {
  return { path, content, replacedSha256: (await digestIfAny(path)) ?? undefined };
}

/** One drive and one place for everything: the CA must be where the kubelet looks for it. */
function unusedCaPath({ machine, wishes }: MembershipSource): readonly string[] {
  const { caCertPath } = wishes.configuration;
  const { caFile } = machine.layout;
  if (caCertPath === undefined || driveless(caCertPath) === driveless(caFile)) return [];
  return [`"caCertPath" is not heeded: the cluster's CA goes to "${caFile}"`];
}

function driveless(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^[a-z]:/i, '')
    .toLowerCase();
}
