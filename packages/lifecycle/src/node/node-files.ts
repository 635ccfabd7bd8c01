import { dirname, join } from 'node:path';
import { AGENT_STATUS_FILE, type EdgecoreConfig } from '@fenestra/contracts';
import type { NodeLayout } from '@fenestra/platform';
import type { BackupRole, NamedNode } from '@fenestra/steps';

/** Everything of a node on a machine but its program and service. */
export interface Footprint {
  /** Folders that are the node's alone, parents first. */
  readonly folders: readonly string[];
  /** Files that the agent makes, wherever the configuration has them. */
  readonly traces: readonly string[];
  /** Of these, what makes the node that very node: certificates and data. */
  readonly identity: readonly string[];
}

/** The footprint of a node with this configuration. */
export function footprintOf(layout: NodeLayout, { database, modules: { edgeHub } }: EdgecoreConfig): Footprint {
  const { tlsCaFile, tlsCertFile, tlsPrivateKeyFile } = edgeHub;
  const { dataSource } = database;
  const stateFolder = dirname(dataSource);
  const identity = [tlsCaFile, tlsCertFile, tlsPrivateKeyFile, dataSource];
  const usual = ['ca', 'certs'].map((name) => join(layout.configFolder, name));
  return {
    folders: [
      layout.configFolder,
      dirname(layout.agentConfigFile),
      ...usual.filter((folder) => identity.some((file) => dirname(file) === folder)),
      layout.stateFolder,
      dirname(layout.agentLogFile),
    ],
    traces: [
      ...identity,
      `${tlsPrivateKeyFile}.pending`,
      `${tlsPrivateKeyFile}.next`,
      `${dataSource}-wal`,
      `${dataSource}-shm`,
      join(stateFolder, AGENT_STATUS_FILE),
      join(stateFolder, 'log'),
    ].filter((path, index, all) => all.indexOf(path) === index),
    identity,
  };
}

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

/** The files of a node's certificate. */
export type CertificatePaths = Pick<NamedNode, 'caFile' | 'certificateFile' | 'keyFile'>;

/** Where a node with this configuration keeps its certificate. */
export function certificatePaths({ modules: { edgeHub } }: EdgecoreConfig): CertificatePaths {
  const { tlsCaFile: caFile, tlsCertFile: certificateFile, tlsPrivateKeyFile: keyFile } = edgeHub;
  return { caFile, certificateFile, keyFile };
}
