import type { JsonObject } from '@fenestra/kube-api';
import { MOUNTS, type PodShape } from '../parts/part.ts';

/** Where wins takes orders on the host. */
const PIPE = String.raw`\\.\pipe\rancher_wins`;

/** A pod that has the whole host's disk, and has wins start processes on the host. */
export function winsPod(script: string, spec: JsonObject): PodShape {
  return {
    command: ['pwsh', '-NoLogo', '-NoProfile', '-NonInteractive', '-File', `${MOUNTS.files}/${script}`],
    // A pipe of the host can be mounted for this user alone.
    spec: { ...spec, securityContext: { windowsOptions: { runAsUserName: 'ContainerAdministrator' } } },
    mounts: [
      { name: 'host', mountPath: '/host' },
      { name: 'wins', mountPath: PIPE },
    ],
    volumes: [
      { name: 'host', hostPath: { path: '/' } },
      { name: 'wins', hostPath: { path: PIPE } },
    ],
  };
}
