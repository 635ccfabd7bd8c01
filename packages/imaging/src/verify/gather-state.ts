import { readdir, readFile } from 'node:fs/promises';
import { win32 } from 'node:path';
import { isVersion } from '@fenestra/contracts';
import { OperatorError, systemCodeOf } from '@fenestra/kernel';
import { digestIfAny, type FirewallRule, pathExists, type SystemRegistry } from '@fenestra/platform';
import { askProgram } from '@fenestra/releases';
import type { ImageConfig } from '../image/config.ts';
import { CLOUDBASE_SERVICE } from '../provision/cloudbase.ts';
import { CONTAINERD_SERVICE } from '../provision/containerd.ts';
import { type ImageMaker, kubernetesDownloads, readProvenance } from '../provision/downloads.ts';
import { gatherProvisionFacts } from '../provision/gather-facts.ts';
import { containerdProgram, type ImageLayout, type ImageSession } from '../provision/provision-facts.ts';
import { findSecrets, secretFolders } from './left-behind.ts';
import type { FoundProgram, FoundRemoteService, FoundRights, FoundService, ImageState } from './image-state.ts';

const KUBELET_SERVICE = 'kubelet';
const REMOTE_SERVICES = ['WinRM', 'sshd'];
const LOGON_KEY = String.raw`SOFTWARE\Microsoft\Windows NT\CurrentVersion\Winlogon`;

/** What an image is tested for. */
export interface WantedImage {
  readonly config: ImageConfig;
  readonly maker: ImageMaker;
  readonly rules: readonly FirewallRule[];
}

/** Looks at everything the test of an image is about, and changes nothing. */
export async function gatherImageState(
  session: ImageSession,
  wanted: WantedImage,
  signal: AbortSignal,
): Promise<ImageState> {
  const { config, maker } = wanted;
  const facts = await gatherProvisionFacts(session, config, maker);
  const { layout } = facts;
  const { worker, ports } = session;
  const host = await session.workerFacts();
  return {
    config,
    layout,
    worker,
    facts,
    provenance: await readProvenance(layout.provenance),
    containerd: await lookAtService(session, CONTAINERD_SERVICE),
    containerdVersion: facts.containerdInPlace ? await containerdVersion(containerdProgram(layout), signal) : undefined,
    kubelet: await lookAtService(session, KUBELET_SERVICE),
    cloudbase: await lookAtService(session, CLOUDBASE_SERVICE),
    cloudbaseConf: await textIfAny(layout.cloudbaseConfig),
    programs: await lookAtPrograms(session, config, layout),
    build: host.os === 'windows' ? host.build : undefined,
    hasContainers: host.os === 'windows' ? host.containersFeature : undefined,
    rules: await Promise.all(wanted.rules.map(async (rule) => ({ rule, state: await ports.firewall.state(rule) }))),
    remoteServices: await Promise.all(REMOTE_SERVICES.map(async (name) => lookAtRemoteService(session, name))),
    rights: await lookAtRights(session, config, layout),
    secrets: await findSecrets(await secretFolders(layout.root)),
    autoLogon: await autoLogonValues(ports.setup.registry),
    leftovers: await leftoversOf(session, layout),
  };
}

async function lookAtService({ ports }: ImageSession, name: string): Promise<FoundService> {
  return { spec: await ports.services.read(name), status: await ports.services.status(name) };
}

async function lookAtRemoteService({ ports }: ImageSession, name: string): Promise<FoundRemoteService> {
  return { name, startType: (await ports.services.status(name)).startType };
}

async function lookAtPrograms(
  { worker }: ImageSession,
  config: ImageConfig,
  layout: ImageLayout,
): Promise<readonly FoundProgram[]> {
  const places = { kubelet: worker.kubelet, kubeadm: worker.kubeadm, 'kube-proxy': worker.kubeProxy };
  return Promise.all(
    kubernetesDownloads(config, layout).map(async ({ id, sha256: wantedSha256 }) => {
      const path = places[id];
      return { name: id, path, wantedSha256, sha256: (await digestIfAny(path)) ?? undefined };
    }),
  );
}

async function lookAtRights(
  { worker, layout: node, ports }: ImageSession,
  { role }: ImageConfig,
  { containerdFolder, bootstrapFolders }: ImageLayout,
): Promise<readonly FoundRights[]> {
  const own =
    role === 'worker' ? [worker.configFolder, worker.kubeletFolder, worker.programFolder] : [node.programFolder];
  const folders = [node.bookkeepingFolder, containerdFolder, ...bootstrapFolders, ...own];
  const found = await Promise.all(folders.map(async (path) => ((await pathExists(path)) ? path : undefined)));
  return Promise.all(
    found
      .filter((path) => path !== undefined)
      .map(async (path) => ({ path, problems: (await ports.access.inspect(path)).problems })),
  );
}

async function autoLogonValues(registry: SystemRegistry): Promise<readonly string[]> {
  const password = await registry.read(LOGON_KEY, 'DefaultPassword');
  const automatic = await registry.read(LOGON_KEY, 'AutoAdminLogon');
  const isOn = (automatic?.type === 'text' || automatic?.type === 'number') && String(automatic.value) === '1';
  return [...(password === undefined ? [] : ['DefaultPassword']), ...(isOn ? ['AutoAdminLogon'] : [])];
}

/** What Packer has among the temporary files is there while it waits for this very test, and removed by itself. */
async function leftoversOf({ layout: node }: ImageSession, layout: ImageLayout): Promise<readonly string[]> {
  const downloads = await namesIn(node.downloadsFolder);
  return [
    ...((await pathExists(layout.stagingFolder)) ? [layout.stagingFolder] : []),
    ...downloads.map((name) => win32.join(node.downloadsFolder, name)),
  ];
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return [];
    throw cause;
  });
}

async function textIfAny(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(systemCodeOf(cause))) return undefined;
    throw cause;
  });
}

/** The version that a containerd says it is; `undefined` for one that says nothing. Only for one whose bytes are proved. */
async function containerdVersion(path: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return versionIn(await askProgram({ path, args: ['--version'], calledAs: 'containerd' }, signal));
  } catch (error) {
    if (error instanceof OperatorError && error.code === 'RELEASE_INVALID') return undefined;
    throw error;
  }
}

/** `containerd github.com/containerd/containerd/v2 v2.1.4 75cb2b71`. */
export function versionIn(answer: string): string | undefined {
  return answer.split(/\s+/).find((word) => word.startsWith('v') && isVersion(word));
}
