import type { HostFacts } from '@fenestra/platform';
import type { Native } from '../native.ts';
import { readNumber, readText } from '../registry/registry.ts';

const KEY = String.raw`SOFTWARE\Microsoft\Windows NT\CurrentVersion`;
const OSVERSIONINFO_SIZE = 276;
const FIRST_BUILD_OF_11 = 22_000;

/** Which Windows this is. */
export type VersionFacts = Pick<HostFacts, 'osName' | 'osVersion' | 'build' | 'edition'>;

/** Reads the version from the system itself and the names from the registry. */
export function readVersion(native: Native): VersionFacts {
  const info = Buffer.alloc(OSVERSIONINFO_SIZE);
  info.writeUInt32LE(OSVERSIONINFO_SIZE, 0);
  native.ntdll.RtlGetVersion(info);
  const [major, minor, build] = [info.readUInt32LE(4), info.readUInt32LE(8), info.readUInt32LE(12)];
  return {
    osName: nameOf(readText(native, KEY, 'ProductName') ?? 'Windows', build, readText(native, KEY, 'DisplayVersion')),
    osVersion: `${major}.${minor}.${build}`,
    build: buildOf(build, readNumber(native, KEY, 'UBR')),
    edition: readText(native, KEY, 'EditionID') ?? 'unknown',
  };
}

/** Windows 11 still calls itself Windows 10 in the registry; only the build tells. */
export function nameOf(productName: string, build: number, displayVersion: string | undefined): string {
  const name = build >= FIRST_BUILD_OF_11 ? productName.replace(/^Windows 10\b/, 'Windows 11') : productName;
  return displayVersion === undefined ? name : `${name} ${displayVersion}`;
}

function buildOf(build: number, revision: number | undefined): string {
  return revision === undefined ? `${build}` : `${build}.${revision}`;
}
