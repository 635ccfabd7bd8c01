import { readNodePool, EXAMPLE_NODE_POOL, nodePool, nodePoolYaml, type NodePoolConfig } from '@fenestra/imaging';
import { OperatorError } from '@fenestra/kernel';
import { Command } from 'commander';
import { manifestsYaml, readRequest, windowsManifests } from '@fenestra/worker/manifests';
import { readGivenText, writeNewFile } from '../given-files.ts';
import type { CommandContext } from '../../cli/program.ts';
import { success, type CommandResult } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';
import { noteLines } from '../../cli/findings-text.ts';

interface TemplateFlags {
  readonly example: boolean;
  readonly to?: string;
}

/** `keadm capi template FILE`: the objects of a pool of Windows nodes, from one small file. */
export function templateCommand({ environment, deliver }: CommandContext): Command {
  return new Command('template')
    .description('Generate the objects of a Windows node pool on Azure, AWS or vSphere, with kube-proxy and network')
    .argument('[file]', 'description of the pool; "-" reads standard input')
    .option('--example', 'print a description to start from', false)
    .option('--to <file>', 'write to a new file instead of standard output')
    .action(async (file: string | undefined, flags: TemplateFlags) => {
      if (flags.example) return deliver(await printed(EXAMPLE_NODE_POOL, { text: EXAMPLE_NODE_POOL }, flags.to));
      if (file === undefined) throw whichFile();
      return deliver(await template(environment, file, flags));
    });
}

async function template(environment: KeadmEnvironment, file: string, { to }: TemplateFlags): Promise<CommandResult> {
  const config = readNodePool(await readGivenText(environment, file), file);
  const addOns = addOnsOf(config, file);
  const pool = nodePool(config, addOns?.manifests);
  const result = await printed(nodePoolYaml(pool), { apiVersion: 'v1', kind: 'List', items: pool.objects }, to);
  environment.terminal.err(noteLines([...pool.notes, ...(addOns?.notes ?? [])]));
  return result;
}

async function printed(text: string, data: object, to: string | undefined): Promise<CommandResult> {
  if (to === undefined) return success(data, text.trimEnd());
  await writeNewFile(to, text);
  return success({ file: to }, `Wrote "${to}"`);
}

function whichFile(): OperatorError {
  return new OperatorError('USAGE', 'Missing the description of the pool', {
    hint: 'Give a file that describes the pool; "--example" prints one to start from.',
  });
}

/** kube-proxy and the network of a pool. */
export interface AddOns {
  readonly manifests: string;
  readonly notes: readonly string[];
}

/** What `keadm kube manifests` makes for the same cluster. Throws `CONFIG_INVALID` for what does not go together. */
function addOnsOf({ network, kubernetesVersion }: NodePoolConfig, file: string): AddOns | undefined {
  if (network === undefined) return undefined;
  const request = requestOf(network, kubernetesVersion, file);
  const made = windowsManifests(request);
  return { manifests: manifestsYaml(request, made), notes: made.notes };
}

type PoolNetwork = NonNullable<NodePoolConfig['network']>;

function requestOf(network: PoolNetwork, version: string, file: string): ReturnType<typeof readRequest> {
  const { plugin, policies = false, ...given } = network;
  try {
    const { hnsNetwork, serviceSubnet, podSubnet, apiServer } = given;
    const places = { hnsNetwork, serviceSubnet, podSubnet, apiServer };
    return readRequest({ version, network: plugin, images: [], policies, wins: false, ...places });
  } catch (error) {
    throw error instanceof OperatorError ? inWordsOfTheFile(error, file) : error;
  }
}

/** The options of that command, by the keys that say the same here. */
const KEYS: Readonly<Record<string, string>> = {
  '--network': 'network.plugin',
  '--hns-network': 'network.hnsNetwork',
  '--service-subnet': 'network.serviceSubnet',
  '--pod-subnet': 'network.podSubnet',
  '--api-server': 'network.apiServer',
};

function inWordsOfTheFile({ message, hint }: OperatorError, file: string): OperatorError {
  const problem = lowerFirst(translated(message));
  return new OperatorError('CONFIG_INVALID', `Cannot load "${file}": ${problem}`, {
    hint: translated(hint),
    details: { file, problems: 1 },
  });
}

function translated(text: string): string {
  return text.replaceAll(/(--[a-z-]+)( ?)/g, (whole, option: string, gap: string) => {
    const key = KEYS[option];
    return key === undefined ? whole : `${key}${gap === '' ? '' : ': '}`;
  });
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
