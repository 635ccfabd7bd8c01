import type { Volume } from '../pod/volume-fields.ts';

/** The name of the folder of a kind of volume. */
export type VolumePlugin = 'empty-dir' | 'configmap' | 'secret' | 'projected' | 'downward-api';

/** The file with the names of hosts, below the folder of a pod. */
export const HOSTS_FILE = 'etc-hosts';

/** The folder of a volume, below the folder of its pod. */
export function volumeFolder(plugin: VolumePlugin, { name }: Pick<Volume, 'name'>): string {
  return `volumes/kubernetes.io~${plugin}/${name}`;
}

/** The file for the termination message of an instance, below the folder of its pod. The id is eight hex digits. */
export function terminationFile(container: string, id: string): string {
  return `containers/${container}/${id}`;
}

/** Where a sub path of a volume is mounted for a container, below the folder of its pod. */
export function subPathFolder(volume: string, container: string, mountIndex: number): string {
  return `volume-subpaths/${volume}/${container}/${mountIndex}`;
}
