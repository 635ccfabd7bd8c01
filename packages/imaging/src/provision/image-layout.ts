import { win32 } from 'node:path';

/** Where things are on the system drive of an image that are neither a node's nor a worker's alone. */
export interface ImageLayout {
  /** Holds containerd's programs and nothing else, so that it can be replaced as a whole. */
  readonly containerdFolder: string;
  readonly containerdConfig: string;
  readonly containerdRoot: string;
  readonly containerdState: string;
  readonly cloudbaseFolder: string;
  readonly cloudbaseConfig: string;
  readonly cloudbaseUnattendConfig: string;
  /** What Windows runs once, when it is set up. */
  readonly setupComplete: string;
  /** Where Cluster API has files written before a join, the token among them. */
  readonly bootstrapFolders: readonly string[];
  /** Where downloads stay until all of them are verified. */
  readonly stagingFolder: string;
  /** What the image is made of. */
  readonly provenance: string;
  /** `C:\`. */
  readonly root: string;
}

/** The layout on a drive such as `C:`; `bookkeeping` is the folder of keadm's own memory. */
export function imageLayout(drive: string, bookkeeping: string): ImageLayout {
  const root = `${drive}\\`;
  const below = (...names: readonly string[]): string => win32.join(root, ...names);
  const containerd = below('Program Files', 'containerd');
  const cloudbaseFolder = below('Program Files', 'Cloudbase Solutions', 'Cloudbase-Init');
  return {
    containerdFolder: win32.join(containerd, 'bin'),
    containerdConfig: win32.join(containerd, 'config.toml'),
    containerdRoot: below('ProgramData', 'containerd', 'root'),
    containerdState: below('ProgramData', 'containerd', 'state'),
    cloudbaseFolder,
    cloudbaseConfig: win32.join(cloudbaseFolder, 'conf', 'cloudbase-init.conf'),
    cloudbaseUnattendConfig: win32.join(cloudbaseFolder, 'conf', 'cloudbase-init-unattend.conf'),
    setupComplete: below('Windows', 'Setup', 'Scripts', 'SetupComplete.cmd'),
    bootstrapFolders: [below('run', 'kubeadm'), below('run', 'cluster-api')],
    stagingFolder: win32.join(bookkeeping, 'image-pieces'),
    provenance: win32.join(bookkeeping, 'image.json'),
    root,
  };
}

/** containerd's program. */
export function containerdProgram({ containerdFolder }: ImageLayout): string {
  return win32.join(containerdFolder, 'containerd.exe');
}
