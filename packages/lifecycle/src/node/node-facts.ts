import { dirname } from 'node:path';
import { type AgentStatus, type EdgecoreConfig, loadEdgecoreConfig } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import {
  type HostFacts,
  type ServiceSpec,
  type ServiceStatus,
  digestOf,
  pathExists,
  existingPaths,
  readTextIfAny,
} from '@fenestra/platform';
import type { NodeSession } from '@fenestra/session';
import { readAgentStatus } from '@fenestra/steps';
import { executableVersion, type ExecutableVersion } from '@fenestra/releases';
import { AGENT_SERVICE } from '../service-program/agent-service.ts';
import { certificateFileOf, certifiedName } from './certified-name.ts';
import { foreignService } from './foreign-service.ts';

/** What a run knows the text of a configuration by, which may hold passwords and so is in no plan. */
export const CONFIGURATION_SECRET = 'configuration';

/** What is to be seen of the node on this machine. */
export interface NodeFacts {
  /** Whether there is a node at all: a service for its agent and a configuration. */
  readonly joined: boolean;
  /** The node's name, of its certificate if there is one; `undefined` where nothing tells it. */
  readonly nodeName: string | undefined;
  readonly certificateFile: string;
  readonly service: ServiceStatus;
  /** What is registered with the service manager. */
  readonly spec: ServiceSpec | undefined;
  /** Why the service of the agent's name must be left alone: it runs another program than the one that join puts in place. */
  readonly foreignService: OperatorError | undefined;
  readonly configText: string | undefined;
  readonly config: EdgecoreConfig | undefined;
  /** Why the configuration that is there cannot be used. */
  readonly configProblem: OperatorError | undefined;
  /** The version that was installed last, or that the running agent says it is. */
  readonly installedVersion: string | undefined;
  /** Digest of the program that is in place. */
  readonly installedSha256: string | undefined;
  /** Where an agent with this configuration says how it is. */
  readonly statusFolder: string;
  /** What the running agent says about itself; an upstream agent says nothing. */
  readonly agent: AgentStatus | undefined;
  /** Whose agent is installed. */
  readonly agentKind: AgentKind;
  readonly host: HostFacts;
  /** Folders and files of a node that is not joined. */
  readonly leftovers: readonly string[];
}

/** Facts of a machine that is a node. */
export interface JoinedNodeFacts extends NodeFacts {
  readonly joined: true;
  readonly configText: string;
  readonly installedSha256: string;
}

interface Looking {
  /** Whether the installed program may be run to find out whose agent it is. A command that only reads does not run it. */
  readonly asksProgram: boolean;
}

/** Looks at the machine and changes nothing. */
export async function gatherNodeFacts(
  { host, layout, ports }: Pick<NodeSession, 'host' | 'layout' | 'ports'>,
  { asksProgram }: Looking = { asksProgram: true },
): Promise<NodeFacts> {
  const facts = await host.facts();
  const spec = await ports.services.read(AGENT_SERVICE);
  const service = await ports.services.status(AGENT_SERVICE);
  const configText = await readTextIfAny(layout.agentConfigFile);
  const { config, configProblem } = readConfig(configText, layout.agentConfigFile, facts);
  const certificateFile = certificateFileOf(layout, config);
  const statusFolder = config === undefined ? layout.stateFolder : dirname(config.database.dataSource);
  const agent = service.state === 'running' ? await readAgentStatus(statusFolder) : undefined;
  const own = agent?.pid === service.pid ? agent : undefined;
  const joined = spec !== undefined && configText !== undefined;
  const installed = await pathExists(layout.agentExecutable);
  const places = [layout.configFolder, layout.stateFolder, layout.agentExecutable];
  return {
    joined,
    certificateFile,
    nodeName:
      (await certifiedName(certificateFile)) ?? (own?.nodeName || config?.modules.edged.hostnameOverride || undefined),
    service,
    spec,
    foreignService: foreignService(spec, layout.agentExecutable, ports.services),
    configText,
    config,
    configProblem,
    statusFolder,
    installedVersion: (await readTextIfAny(layout.versionFile))?.trim() || own?.version,
    installedSha256: installed ? await digestOf(layout.agentExecutable) : undefined,
    agent: own,
    // A program on a machine that has no configuration for it is no one's agent, and not to be run.
    agentKind:
      asksProgram && own === undefined && installed && configText !== undefined
        ? await agentKindOf(layout.agentExecutable)
        : 'fenestra',
    host: facts,
    leftovers: joined ? [] : await existingPaths(places),
  };
}

/** Throws `NODE_ABSENT` unless there is a node whose program is in place, or `SERVICE_CONFLICT` if it is another one. */
export function requireJoined(node: NodeFacts): JoinedNodeFacts {
  const { configText, installedSha256 } = node;
  if (node.foreignService !== undefined) throw node.foreignService;
  if (node.joined && configText !== undefined && installedSha256 !== undefined) {
    return { ...node, joined: true, configText, installedSha256 };
  }
  throw new OperatorError('NODE_ABSENT', 'This machine is not a node: it has not joined a cloud', {
    hint: 'Join it first with "keadm join".',
  });
}

function readConfig(
  text: string | undefined,
  path: string,
  { os, hostName }: HostFacts,
): Pick<NodeFacts, 'config' | 'configProblem'> {
  if (text === undefined) return { config: undefined, configProblem: undefined };
  try {
    const { config } = loadEdgecoreConfig(text, path, os, { hostName, cloudAddress: '127.0.0.1' });
    return { config, configProblem: undefined };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { config: undefined, configProblem: error };
  }
}

/** The node's configuration; throws what is wrong with one that cannot be used. */
export function requireConfig({ config, configProblem }: Pick<NodeFacts, 'config' | 'configProblem'>): EdgecoreConfig {
  if (config !== undefined) return config;
  throw (
    configProblem ??
    new OperatorError('CONFIG_INVALID', 'The node has no configuration', { hint: 'Reset the node and join it again.' })
  );
}

/** Whose agent a program is. */
export type AgentKind = ExecutableVersion['kind'];

/** Asks the program itself, as only a running agent of ours says what it is by itself. */
export async function agentKindOf(program: string): Promise<AgentKind> {
  try {
    return (await executableVersion(program, new AbortController().signal)).kind;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    // One that does not even say its version is judged as strictly as ours.
    return 'fenestra';
  }
}
