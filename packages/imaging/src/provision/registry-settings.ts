import { win32 } from 'node:path';
import type { ImageSystem } from '../image/config/schema.ts';
import type { RegistryContent } from '@fenestra/platform';
import type { ImageLayout } from './image-layout.ts';

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

/** A machine that updates itself in the middle of a join, or restarts while it runs pods, is nobody's wish. */
const EVERYWHERE: readonly RegistrySetting[] = [
  { key: UPDATES, name: 'NoAutoUpdate', value: 1 },
  { key: UPDATES, name: 'AUOptions', value: 2 },
  // Lets containers resolve the names of file shares.
  { key: NETWORK_STATE, name: 'EnableCompartmentNamespace', value: 1 },
];

/** Mendings of container networks and files that Windows has, but leaves switched off. */
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

/**
 * Defender does not look into every file that containerd unpacks, which would make images slow to pull and pods slow to
 * start. By policy, because its own settings nobody else may write.
 */
function unscanned({ containerdFolder }: Pick<ImageLayout, 'containerdFolder'>): readonly RegistrySetting[] {
  const programs = ['containerd.exe', 'ctr.exe'].map((name) => win32.join(containerdFolder, name));
  return [
    { key: SCAN_EXCLUSIONS, name: 'Exclusions_Processes', value: 1 },
    ...programs.map((name) => ({ key: `${SCAN_EXCLUSIONS}\\Processes`, name, value: '0' })),
  ];
}
