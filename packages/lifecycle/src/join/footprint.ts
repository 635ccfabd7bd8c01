import { dirname, join } from 'node:path';
import { AGENT_STATUS_FILE, type EdgecoreConfig } from '@fenestra/contracts';
import type { NodeLayout } from '@fenestra/platform';

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
