import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AGENT_STATUS_FILE, AgentStatus, type NodeOs } from '@fenestra/contracts';
import { isJsonObject, pathOf, type ApiKind, type JsonObject } from '@fenestra/kube-api';
import type { KeadmMachine } from '../machines/keadm-machine.ts';
import { type Cloud, runKeadm } from './cloud.ts';
import { NAMESPACE } from './manifests.ts';
import { nodeFile, type NodeSettings } from './node-file.ts';
import { layNetwork, type NodeNetwork, type NodePorts } from './node-network.ts';

/** A machine that is, or is about to become, a node of a cloud. */
export interface EdgeNode {
  /** The node's name in the cloud. */
  readonly name: string;
  readonly os: NodeOs;
  readonly machine: KeadmMachine;
  readonly network: NodeNetwork;
  /** Adds settings, by dotted path, to those it has and writes its configuration file. */
  configure(settings: NodeSettings): Promise<void>;
  /** Its configuration file, as it is. */
  readFile(): Promise<string>;
  /** Writes this text as its configuration file. */
  writeFile(text: string): Promise<void>;
  keadm(...args: readonly string[]): Promise<string>;
  /** What the agent says about itself; undefined while it does not run. */
  status(): Promise<AgentStatus | undefined>;
  /** An object as the node's own API has it; undefined if the node has none. */
  object(kind: ApiKind, name: string): Promise<JsonObject | undefined>;
  /** All objects of a kind, as the node's own API has them. */
  objects(kind: ApiKind): Promise<readonly JsonObject[]>;
  /** The agent's own log. */
  log(): Promise<string>;
  stop(): Promise<void>;
}

/** Makes a node of a machine, by files alone: nothing is installed yet. A node that moves keeps the ports it knows. */
export async function prepareNode(
  name: string,
  machine: KeadmMachine,
  cloud: Cloud,
  ports?: NodePorts,
): Promise<EdgeNode> {
  const os: NodeOs = machine.paths.agent.endsWith('.exe') ? 'windows' : 'linux';
  const network = await layNetwork(machine, cloud.ports, ports);
  const slash = os === 'windows' ? '\\' : '/';
  const at = (...parts: readonly string[]): string => machine.node.hostPath(parts.join(slash));
  const { configFolder, stateFolder } = machine.paths;
  const configFile = at(configFolder, 'config', 'edgecore.yaml');
  let settings: NodeSettings = {};
  const ask = async (path: string): Promise<JsonObject | undefined> => askNode(network.metaServerPort, path);
  const write = async (text: string): Promise<void> => {
    await mkdir(dirname(configFile), { recursive: true, mode: 0o700 });
    await writeFile(configFile, text, { mode: 0o600 });
  };
  return {
    name,
    os,
    machine,
    network,
    async configure(changed) {
      settings = { ...settings, ...changed };
      await write(nodeFile(os, { name, network, settings }));
    },
    readFile: async () => readFile(configFile, 'utf8'),
    writeFile: write,
    keadm: async (...args) => runKeadm(machine, args),
    status: async () => readStatus(at(stateFolder, AGENT_STATUS_FILE)),
    object: async (kind, object) => ask(pathOf(kind, kind.namespaced ? NAMESPACE : undefined, object)),
    objects: async (kind) => itemsOf(await ask(pathOf(kind, NAMESPACE))),
    log: async () => readFile(at(stateFolder, 'log', 'edgecore.log'), 'utf8').catch(() => ''),
    async stop() {
      await network.close();
      await machine.node.stop();
    },
  };
}

async function readStatus(file: string): Promise<AgentStatus | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined || text === '' ? undefined : AgentStatus.parse(JSON.parse(text));
}

/** Only what the node says itself is an absence; that it does not answer is a failure, to be waited for. */
async function askNode(port: number, path: string): Promise<JsonObject | undefined> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(5_000) });
  const body: unknown = await answer.json();
  if (answer.status === 404) return undefined;
  if (answer.ok && isJsonObject(body)) return body;
  throw new Error(`The node answers "${path}" with ${answer.status}`);
}

function itemsOf(list: JsonObject | undefined): readonly JsonObject[] {
  const items = list?.['items'];
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}
