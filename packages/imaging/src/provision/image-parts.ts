import { win32 } from 'node:path';
import { pauseImage } from '@fenestra/contracts/kube';
import type { NodeLayout, RegistryContent, WorkerLayout } from '@fenestra/platform';
import type { ImageConfig, ImageRole, ImageSystem } from '../image/config.ts';
import { cloudbaseConf, cloudbaseUnattendConf, setupCompleteText } from './cloudbase.ts';
import { containerdConfig } from './containerd.ts';
import type { ImageLayout } from './provision-facts.ts';

/** The part of Windows without which there are no containers. */
export const CONTAINERS_FEATURE = 'Containers';

const PAUSE_REPOSITORY = 'registry.k8s.io';
/** For an edge node, whose cloud says nothing about it. */
const PAUSE_VERSION = 'v1.33.0';

type CniFolders = Pick<WorkerLayout, 'cniConfigFolder' | 'cniProgramFolder'>;

/** What containerd's configuration must be. */
export function containerdText(config: ImageConfig, layout: ImageLayout, worker: CniFolders): string {
  return containerdConfig({
    version: config.containerd.version,
    root: layout.containerdRoot,
    state: layout.containerdState,
    cniPrograms: worker.cniProgramFolder,
    cniConfig: worker.cniConfigFolder,
    pauseImage: config.pauseImage ?? pauseImage(config.kubernetes?.version ?? PAUSE_VERSION, PAUSE_REPOSITORY),
  });
}

/** The files that configure the first start of the image. */
export function cloudbaseFiles({ platform }: ImageConfig, layout: ImageLayout): Readonly<Record<string, string>> {
  const settings = { platform, folder: layout.cloudbaseFolder };
  return {
    [layout.cloudbaseConfig]: cloudbaseConf(settings),
    [layout.cloudbaseUnattendConfig]: cloudbaseUnattendConf(settings),
    [layout.setupComplete]: setupCompleteText(platform),
  };
}

/** The folders whose programs every shell must find. */
export function searchFolders(
  { containerdFolder }: ImageLayout,
  { programFolder }: Pick<WorkerLayout, 'programFolder'>,
): readonly string[] {
  return [containerdFolder, programFolder];
}

/** Where this program goes: where every shell finds it, and where an edge node's agent is, which is the same program. */
export function ownPrograms(
  role: ImageRole,
  { agentExecutable }: Pick<NodeLayout, 'agentExecutable'>,
  { programFolder }: Pick<WorkerLayout, 'programFolder'>,
): readonly string[] {
  const tool = win32.join(programFolder, 'keadm.exe');
  return role === 'edge' ? [tool, agentExecutable] : [tool];
}

/** The folders that must be there before anything is put into them. */
export function imageFolders(layout: ImageLayout, worker: CniFolders): readonly string[] {
  return [
    win32.dirname(layout.containerdConfig),
    layout.containerdRoot,
    layout.containerdState,
    worker.cniConfigFolder,
    worker.cniProgramFolder,
    win32.dirname(layout.setupComplete),
    ...layout.bootstrapFolders,
  ];
}

/** A number or a text that the registry must hold. */
export interface RegistrySetting {
  /** Below HKEY_LOCAL_MACHINE. */
  readonly key: string;
  readonly name: string;
  readonly value: number | string;
}

const UPDATES = String.raw`SOFTWARE\Policies\Microsoft\Windows\WindowsUpdate\AU`;
const NETWORK_STATE = String.raw`SYSTEM\CurrentControlSet\Services\hns\State`;
const FEATURES = String.raw`SYSTEM\CurrentControlSet\Policies\Microsoft\FeatureManagement\Overrides`;
const SCAN_EXCLUSIONS = String.raw`SOFTWARE\Policies\Microsoft\Windows Defender\Exclusions`;
const CONTAINER_FILES = String.raw`SYSTEM\CurrentControlSet\Services\wcifs`;

/** Automatic updates could interrupt a join or restart a machine that runs pods. */
const EVERYWHERE: readonly RegistrySetting[] = [
  { key: UPDATES, name: 'NoAutoUpdate', value: 1 },
  { key: UPDATES, name: 'AUOptions', value: 2 },
  // Lets containers resolve the names of file shares.
  { key: NETWORK_STATE, name: 'EnableCompartmentNamespace', value: 1 },
];

/** Fixes for container networks and files that Windows ships disabled. */
const BY_SYSTEM: Readonly<Record<ImageSystem, readonly RegistrySetting[]>> = {
  '2019': [
    { key: NETWORK_STATE, name: 'HNSControlFlag', value: 80 },
    { key: CONTAINER_FILES, name: 'WcifsSOPCountDisabled', value: 0 },
  ],
  '2022': [{ key: FEATURES, name: '1114842764', value: 0 }],
  '2025': [{ key: FEATURES, name: '520997518', value: 1 }],
};

/** What the registry of a system must hold. */
export function registrySettings(
  system: ImageSystem,
  layout: Pick<ImageLayout, 'containerdFolder'>,
): readonly RegistrySetting[] {
  return [...EVERYWHERE, ...BY_SYSTEM[system], ...unscanned(layout)];
}

/** What the registry must hold, in the form in which it is written and read. */
export function contentOf({ value }: RegistrySetting): RegistryContent {
  return typeof value === 'number' ? { type: 'number', value } : { type: 'text', value };
}

/** Containers start slowly if Defender scans their files. Only policies can set this from outside Defender. */
function unscanned({ containerdFolder }: Pick<ImageLayout, 'containerdFolder'>): readonly RegistrySetting[] {
  const programs = ['containerd.exe', 'ctr.exe'].map((name) => win32.join(containerdFolder, name));
  return [
    { key: SCAN_EXCLUSIONS, name: 'Exclusions_Processes', value: 1 },
    ...programs.map((name) => ({ key: `${SCAN_EXCLUSIONS}\\Processes`, name, value: '0' })),
  ];
}
