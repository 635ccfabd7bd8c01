import type { ImageSystem } from '@fenestra/contracts';

/** A number that the registry must hold. */
export interface RegistrySetting {
  /** Below HKEY_LOCAL_MACHINE. */
  readonly key: string;
  readonly name: string;
  readonly value: number;
}

const UPDATES = String.raw`SOFTWARE\Policies\Microsoft\Windows\WindowsUpdate\AU`;
const NETWORK_STATE = String.raw`SYSTEM\CurrentControlSet\Services\hns\State`;
const FEATURES = String.raw`SYSTEM\CurrentControlSet\Policies\Microsoft\FeatureManagement\Overrides`;
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
export function registrySettings(system: ImageSystem): readonly RegistrySetting[] {
  return [...EVERYWHERE, ...BY_SYSTEM[system]];
}
