import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  digestIfAny,
  digestOf,
  missingFolders,
  pathExists,
  type ServiceManager,
  type ServiceSpec,
} from '@fenestra/platform';
import { isSameFolder } from '@fenestra/steps';
import type { ImageConfig } from '../image/config.ts';
import { CLOUDBASE_SERVICE } from './cloudbase.ts';
import { containerdService } from './containerd.ts';
import {
  type ImageDownload,
  imageDownloads,
  type ImageMaker,
  kubernetesDownloads,
  nextProvenance,
  type Provenance,
  provenanceText,
  readProvenance,
} from './downloads.ts';
import {
  containerdProgram,
  imageLayout,
  type ImageLayout,
  type ImageSession,
  type ProvisionFacts,
  type WantedCopy,
  type WantedFeature,
  type WantedService,
  type WantedText,
} from './provision-facts.ts';
import {
  cloudbaseFiles,
  containerdText,
  CONTAINERS_FEATURE,
  contentOf,
  imageFolders,
  ownPrograms,
  type RegistrySetting,
  registrySettings,
  searchFolders,
} from './image-parts.ts';

/** Looks at what a machine lacks to be the wanted image, and changes nothing. */
export async function gatherProvisionFacts(
  session: ImageSession,
  config: ImageConfig,
  maker: ImageMaker,
): Promise<ProvisionFacts> {
  const layout = await layoutOf(session);
  const { worker, ports, layout: node } = session;
  const old = await readProvenance(layout.provenance);
  const all = imageDownloads(config, layout);
  const inPlace = await placedDownloads(session, { config, layout, old });
  const features = await missingFeatures(session, old);
  const next = nextProvenance(config, all, [CONTAINERS_FEATURE], { maker, old });
  return {
    config,
    layout,
    node,
    worker,
    downloads: all.filter(({ id }) => !inPlace.has(id)),
    missingFolders: await allMissing(imageFolders(layout, worker)),
    containerdInPlace: inPlace.has('containerd'),
    replacesContainerd: await pathExists(layout.containerdFolder),
    containerdConfig: await lookAtText(layout.containerdConfig, containerdText(config, layout, worker)),
    containerdService: await lookAtService(ports.services, containerdService(layout)),
    cloudbaseInPlace: inPlace.has('cloudbase-init'),
    cloudbaseStart: (await ports.services.status(CLOUDBASE_SERVICE)).startType,
    cloudbaseTexts: await cloudbaseTexts(config, layout),
    copies: await lookAtCopies(session, ownPrograms(config.role, node, worker)),
    features,
    registry: await differingSettings(session, registrySettings(config.system, layout)),
    searchFolders: await missingSearchFolders(session, searchFolders(layout, worker)),
    provenance: await lookAtText(layout.provenance, provenanceText(next)),
  };
}

async function layoutOf({ workerFacts, layout }: ImageSession): Promise<ImageLayout> {
  const facts = await workerFacts();
  return imageLayout(facts.os === 'windows' ? facts.systemDrive : 'C:', layout.bookkeepingFolder);
}

/** Every folder that is not there, with its parents, each once and before what is below it. */
async function allMissing(folders: readonly string[]): Promise<readonly string[]> {
  return [...new Set((await Promise.all(folders.map(missingFolders))).flat())];
}

/** Unpacked and installed downloads have no digest to compare, so the provenance record counts. */
async function placedDownloads(
  { worker, ports }: ImageSession,
  { config, layout, old }: { config: ImageConfig; layout: ImageLayout; old: Provenance | undefined },
): Promise<ReadonlySet<string>> {
  const recorded = ({ id, sha256 }: ImageDownload): boolean =>
    old?.pieces.some((piece) => piece.id === id && piece.sha256 === sha256) === true;
  const [containerd] = imageDownloads(config, layout);
  const cloudbase = imageDownloads(config, layout).at(-1);
  const placed = new Set<string>();
  if (containerd !== undefined && recorded(containerd) && (await pathExists(containerdProgram(layout))))
    placed.add('containerd');
  const { state } = await ports.services.status(CLOUDBASE_SERVICE);
  if (cloudbase !== undefined && recorded(cloudbase) && state !== 'absent') placed.add('cloudbase-init');
  const places = { kubelet: worker.kubelet, kubeadm: worker.kubeadm, 'kube-proxy': worker.kubeProxy };
  for (const { id, sha256 } of kubernetesDownloads(config, layout))
    if ((await digestIfAny(places[id])) === sha256) placed.add(id);
  return placed;
}

/** What the system does not say, or says only after a restart, is believed if it was done before. */
async function missingFeatures(
  { workerFacts }: ImageSession,
  old: Provenance | undefined,
): Promise<readonly WantedFeature[]> {
  const facts = await workerFacts();
  const isOn = facts.os === 'windows' ? facts.containersFeature : false;
  if (isOn === true || old?.features.includes(CONTAINERS_FEATURE) === true) return [];
  return [{ feature: CONTAINERS_FEATURE, wasOn: isOn === undefined }];
}

async function cloudbaseTexts(config: ImageConfig, layout: ImageLayout): Promise<readonly WantedText[]> {
  const files = Object.entries(cloudbaseFiles(config, layout));
  return Promise.all(files.map(async ([path, content]) => lookAtText(path, content)));
}

async function lookAtText(path: string, content: string): Promise<WantedText> {
  const found = (await digestIfAny(path)) ?? undefined;
  const wanted = createHash('sha256').update(content).digest('hex');
  return { path, content, isCurrent: found === wanted, replacedSha256: found };
}

/** A system that does not give a recovery policy back is believed to have the one it was given. */
async function lookAtService(services: ServiceManager, spec: ServiceSpec): Promise<WantedService> {
  const found = await services.read(spec.name);
  const { state } = await services.status(spec.name);
  const canTell = (await services.recovery(spec.name)) !== undefined;
  const compared = found === undefined || canTell ? found : { ...found, recovery: spec.recovery };
  return { spec, state, isRegistered: isDeepStrictEqual(compared, spec) };
}

async function lookAtCopies(
  { executable: from }: ImageSession,
  places: readonly string[],
): Promise<readonly WantedCopy[]> {
  const sha256 = await digestOf(from);
  return Promise.all(
    places.map(async (to) => ({ from, to, sha256, installedSha256: (await digestIfAny(to)) ?? undefined })),
  );
}

async function differingSettings(
  { ports }: ImageSession,
  settings: readonly RegistrySetting[],
): Promise<readonly RegistrySetting[]> {
  const found = await Promise.all(
    settings.map(async (setting) => ({
      setting,
      content: await ports.setup.registry.read(setting.key, setting.name),
    })),
  );
  return found
    .filter(({ setting, content }) => !isDeepStrictEqual(content, contentOf(setting)))
    .map(({ setting }) => setting);
}

async function missingSearchFolders({ ports }: ImageSession, folders: readonly string[]): Promise<readonly string[]> {
  const entries = await ports.setup.searchPath.entries();
  return folders.filter((folder) => !entries.some((entry) => isSameFolder(entry, folder)));
}
