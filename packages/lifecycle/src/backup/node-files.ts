import type { BackupRole } from '@fenestra/steps';
import type { EdgecoreConfig } from '@fenestra/contracts';
import type { NodeLayout } from '@fenestra/platform';

/** The roles a node has one file of at most. */
export type SingleRole = Exclude<BackupRole, 'static-pod'>;

/** Where the files of a node with this configuration are. A file that plays two roles is named under the first. */
export function nodeFiles(layout: NodeLayout, { database, modules }: EdgecoreConfig): ReadonlyMap<SingleRole, string> {
  const { tlsCaFile, tlsCertFile, tlsPrivateKeyFile } = modules.edgeHub;
  const files: readonly (readonly [SingleRole, string])[] = [
    ['executable', layout.agentExecutable],
    ['configuration', layout.agentConfigFile],
    ['database', database.dataSource],
    ['ca', tlsCaFile],
    ['certificate', tlsCertFile],
    ['key', tlsPrivateKeyFile],
    ['version', layout.versionFile],
  ];
  const isFirst = (path: string, index: number): boolean => files.findIndex(([, other]) => other === path) === index;
  return new Map(files.filter(([, path], index) => isFirst(path, index)));
}

/** The folder in which the agent looks for static pods. */
export function staticPodsFolder({ modules }: EdgecoreConfig): string {
  return modules.edged.tailoredKubeletConfig.staticPodPath;
}
