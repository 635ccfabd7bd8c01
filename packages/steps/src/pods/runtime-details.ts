import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { type ContainerRuntime, diagnose, type PluginNetwork, type RuntimeSettings, withRuntime } from '@fenestra/cri';

/** What pods depend on in a runtime that answers, as far as the runtime says it. */
export interface RuntimeDetails extends Pick<RuntimeSettings, 'cgroupDriver' | 'restrictsOomScores'> {
  /** Whether the image that holds the network of each pod is on the machine. Containerd 2 names it only if it is. */
  readonly sandboxImage: { readonly name?: string; readonly isPresent: boolean };
  readonly network?: PluginNetwork & {
    /** Of the plugins that the configuration names, those that are in none of the folders. */
    readonly missing: readonly string[];
  };
}

/** Asks a runtime for its settings; `undefined` if it does not answer. It throws only if interrupted. */
export async function readRuntimeDetails(endpoint: string, signal: AbortSignal): Promise<RuntimeDetails | undefined> {
  try {
    return await withRuntime(endpoint, async (runtime) => detailsOf(runtime, signal), signal);
  } catch (error) {
    diagnose(error);
    return undefined;
  }
}

async function detailsOf(runtime: ContainerRuntime, signal: AbortSignal): Promise<RuntimeDetails> {
  const { cgroupDriver: configured, restrictsOomScores, sandboxImage, network } = await runtime.settings(signal);
  const cgroupDriver = (await runtime.cgroupDriver(signal)) ?? configured;
  return {
    ...(cgroupDriver !== undefined && { cgroupDriver }),
    ...(restrictsOomScores !== undefined && { restrictsOomScores }),
    sandboxImage: await findSandboxImage(runtime, sandboxImage, signal),
    ...(network !== undefined && { network: { ...network, missing: await missingPlugins(network) } }),
  };
}

/** A runtime that does not name the image pins it, so that no one removes it. */
async function findSandboxImage(
  runtime: ContainerRuntime,
  name: string | undefined,
  signal: AbortSignal,
): Promise<RuntimeDetails['sandboxImage']> {
  if (name !== undefined)
    return { name, isPresent: (await runtime.imageStatus({ image: name }, signal)) !== undefined };
  const pinned = (await runtime.listImages(signal)).find((image) => image.pinned && image.repoTags.length > 0);
  const [tag] = pinned?.repoTags ?? [];
  return tag === undefined ? { isPresent: false } : { isPresent: true, name: tag };
}

async function missingPlugins({ pluginFolders, plugins }: PluginNetwork): Promise<readonly string[]> {
  const found = await Promise.all(plugins.map(async (plugin) => isInOneOf(pluginFolders, plugin)));
  return plugins.filter((_plugin, index) => found[index] !== true);
}

/** Programs of Windows have a suffix that the configuration leaves out. */
async function isInOneOf(folders: readonly string[], plugin: string): Promise<boolean> {
  const paths = folders.flatMap((folder) => [join(folder, plugin), join(folder, `${plugin}.exe`)]);
  const attempts = await Promise.allSettled(paths.map(async (path) => access(path)));
  return attempts.some(({ status }) => status === 'fulfilled');
}
