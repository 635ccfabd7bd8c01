import { win32 } from 'node:path';
import type { Mapping } from '@fenestra/contracts/reading';
import { valueIn, withValue, type Path } from './path-in.ts';

/** The fields that hold a path of the machine. */
const PATHS: readonly Path[] = [
  ['staticPodPath'],
  ['authentication', 'x509', 'clientCAFile'],
  ['volumePluginDir'],
  ['podLogsDir'],
  ['tlsCertFile'],
  ['tlsPrivateKeyFile'],
];

/**
 * The configuration with every path on one drive, the one all else of Kubernetes is on: a path without a drive would be
 * looked for on whichever drive the kubelet happens to run from.
 */
export function withPathsOnDrive(config: Mapping, drive: string): Mapping {
  return PATHS.reduce<Mapping>((result, path) => {
    const given = valueIn(result, path);
    return typeof given === 'string' && /^[\\/]/.test(given) ? withValue(result, path, onDrive(given, drive)) : result;
  }, config);
}

function onDrive(path: string, drive: string): string {
  return win32.normalize(`${drive}${path}`);
}
