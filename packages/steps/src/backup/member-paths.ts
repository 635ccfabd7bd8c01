import type { BackupRole } from '@fenestra/steps';

/** Where an archive has the manifests of static pods, whose names the node's operator chose. */
export const STATIC_PODS_FOLDER = 'static-pods/';

const PATHS: Readonly<Record<Exclude<BackupRole, 'static-pod'>, string>> = {
  executable: 'edgecore',
  configuration: 'edgecore.yaml',
  database: 'edgecore.db',
  ca: 'certificates/ca.crt',
  certificate: 'certificates/node.crt',
  key: 'certificates/node.key',
  version: 'version.txt',
};

/** What a file is called in an archive. `fileName` counts only for static pods. */
export function memberPath(role: BackupRole, fileName: string): string {
  return role === 'static-pod' ? `${STATIC_PODS_FOLDER}${fileName}` : PATHS[role];
}

/** The file name of a static pod's manifest. */
export function podFileName(path: string): string {
  return path.slice(STATIC_PODS_FOLDER.length);
}

/** Whether the name is one file in a folder on every system. What begins with a dot is no manifest to a kubelet either. */
export function isPodFileName(name: string): boolean {
  return name.length <= 255 && /^[^./\\:*?"<>|\p{Cc}][^/\\:*?"<>|\p{Cc}]*$/u.test(name) && !/[. ]$/.test(name);
}
