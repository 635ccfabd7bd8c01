import { isJsonObject, type JsonObject, listAt, objectAt, parseJson, stringAt, valueAt } from '@fenestra/kernel';

/** The network of pods, as the runtime has read it from the configuration of CNI. */
export interface PluginNetwork {
  readonly configFolder: string;
  readonly pluginFolders: readonly string[];
  /** The plugins that the configuration names, each once. */
  readonly plugins: readonly string[];
}

/** How a runtime is configured, as far as it says so. */
export interface RuntimeSettings {
  readonly cgroupDriver?: 'systemd' | 'cgroupfs';
  /** Containerd 2 does not say it. */
  readonly sandboxImage?: string;
  /** Whether the out-of-memory scores of containers are kept within what the runtime may set. */
  readonly restrictsOomScores?: boolean;
  readonly network?: PluginNetwork;
}

/** Reads the verbose part of a status, which is JSON for each subject. Containerd 1.6 to 2.1 use these names. */
export function readSettings(info: Readonly<Record<string, string>>): RuntimeSettings {
  const config = readObject(info['config']);
  const cni = readObject(info['cniconfig']);
  const sandboxImage = stringAt(config, 'sandboxImage');
  const restricts = valueAt(config, 'restrictOOMScoreAdj');
  return {
    ...driverOf(config),
    ...(sandboxImage !== '' && { sandboxImage }),
    ...(typeof restricts === 'boolean' && { restrictsOomScores: restricts }),
    ...(cni !== undefined && { network: networkOf(cni) }),
  };
}

function readObject(text = ''): JsonObject | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}

/** Each runtime handler has a driver; pods use the default one. */
function driverOf(config: JsonObject | undefined): Pick<RuntimeSettings, 'cgroupDriver'> {
  const name = stringAt(config, 'containerd', 'defaultRuntimeName');
  const usesSystemd = valueAt(config, 'containerd', 'runtimes', name, 'options', 'SystemdCgroup');
  if (typeof usesSystemd !== 'boolean') return {};
  return { cgroupDriver: usesSystemd ? 'systemd' : 'cgroupfs' };
}

function networkOf(cni: JsonObject): PluginNetwork {
  const plugins = listAt(cni, 'Networks')
    .flatMap((network) => listAt(network, 'Config', 'Plugins'))
    .map((plugin) => objectAt(plugin, 'Network'))
    .flatMap((plugin) => [stringAt(plugin, 'type'), stringAt(plugin, 'ipam', 'type')]);
  return {
    configFolder: stringAt(cni, 'PluginConfDir'),
    pluginFolders: listAt(cni, 'PluginDirs').filter((folder) => typeof folder === 'string'),
    plugins: [...new Set(plugins)].filter((name) => name !== ''),
  };
}
