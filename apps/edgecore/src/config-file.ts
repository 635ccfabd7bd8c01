import {
  configDigest,
  type EdgecoreConfig,
  type EdgeHost,
  type LoadedConfig,
  loadEdgecoreConfig,
  type NodeOs,
} from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { Logger } from '@fenestra/platform';
import { readIfThere } from './certificates/identity-files.ts';

/** The machine whose defaults fill what the file does not say. */
export interface ConfigMachine {
  readonly os: NodeOs;
  readonly edgeHost: EdgeHost;
}

/** A configuration, and the digest of the text it was read from. */
export interface ReadConfig {
  readonly config: EdgecoreConfig;
  readonly sha256: string;
}

/** The agent's configuration file. */
export interface ConfigFile {
  /** Reads and checks the file; `undefined` if there is none. A node without a name has the machine's. */
  read(): Promise<ReadConfig | undefined>;
  /** The same, but a missing file is `PATH_NOT_FOUND`. */
  readExisting(): Promise<ReadConfig>;
}

/** The file at this path. The log gets each note about a setting once. */
export function configFile(path: string, machine: ConfigMachine, log: Logger): ConfigFile {
  const said = new Set<string>();
  const read = async (): Promise<ReadConfig | undefined> => {
    const text = await readIfThere(path, 'the configuration ');
    if (text === undefined) return undefined;
    const loaded = loadEdgecoreConfig(text, path, machine.os, machine.edgeHost);
    sayNotes(loaded, said, log);
    return { config: withNodeName(loaded.config, machine.edgeHost), sha256: configDigest(text) };
  };
  return {
    read,
    async readExisting() {
      const found = await read();
      if (found === undefined) throw missing(path);
      return found;
    },
  };
}

/** All modules have to agree on the name, so none of them looks for it by itself. */
function withNodeName(config: EdgecoreConfig, { hostName }: EdgeHost): EdgecoreConfig {
  const { modules } = config;
  if (modules.edged.hostnameOverride !== '') return config;
  return { ...config, modules: { ...modules, edged: { ...modules.edged, hostnameOverride: hostName.toLowerCase() } } };
}

function sayNotes({ notes }: LoadedConfig<EdgecoreConfig>, said: Set<string>, log: Logger): void {
  for (const { path, reason } of notes) {
    if (said.has(path)) continue;
    said.add(path);
    log.info('A note about a setting in the configuration', { setting: path, reason });
  }
}

function missing(path: string): OperatorError {
  return new OperatorError('PATH_NOT_FOUND', `Cannot find the configuration "${path}"`, {
    hint: 'Name the file with "--config", or make one from "edgecore --minconfig".',
  });
}
