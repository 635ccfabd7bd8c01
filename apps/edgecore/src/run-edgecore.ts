import { join } from 'node:path';
import {
  actionOf,
  COMPONENT_FLAGS,
  type ComponentAction,
  defaultEdgecoreYaml,
  minimalEdgecoreYaml,
  parseComponentFlags,
  verbosityOf,
} from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { AccessControl, FileStore, Host, PodHost, ServiceHost, ServiceProgram } from '@fenestra/platform';
import { type AgentParts, agentProgram } from './agent.ts';
import { assembleAgent } from './assemble-agent.ts';
import { configFile, type ConfigMachine } from './config-file.ts';
import { agentLog, type AgentLog, type SystemLog } from './agent-log.ts';

export type { SystemLog } from './agent-log.ts';

/** What edgecore is and where it runs: given by the executable that carries it. */
export interface EdgecoreEnvironment {
  readonly version: string;
  readonly now: () => Date;
  readonly files: FileStore;
  readonly serviceHost: ServiceHost;
  /** The machine; an agent with a configuration needs it. */
  readonly host?: Host;
  /** How pods run on this system; an agent with a configuration needs it. */
  readonly podHost?: PodHost;
  /** Who may change files; an agent with a configuration needs it. */
  readonly access?: Pick<AccessControl, 'exposures'>;
  /** The configuration to use when neither `--config` nor `--state-folder` is given. */
  readonly defaultConfigFile?: string;
  /** Where the log goes unless `--log-file` says so; by default into `log` below the state folder. */
  readonly logFolder?: string;
  /** The system's own log, for errors. */
  readonly systemLog?: SystemLog;
  /** Where answers such as `--defaultconfig` go; by default standard output. */
  readonly print?: (text: string) => void;
}

const DEBUG_VERBOSITY = 4;
const LOG_NAME = 'edgecore.log';
/** Where the cloud is expected until the configuration says where it is. */
const CLOUD_ADDRESS = '127.0.0.1';

/** Runs the agent until its service manager stops it, or prints what was asked for; returns the exit code. */
export async function runEdgecore(args: readonly string[], environment: EdgecoreEnvironment): Promise<number> {
  const flags = readFlags(args);
  const { version, print = (text) => void process.stdout.write(text) } = environment;
  switch (flags.action) {
    case 'version':
      print(`${version}\n`);
      return 0;
    case 'default-config':
      print(await yamlBy(defaultEdgecoreYaml, environment));
      return 0;
    case 'minimal-config':
      print(await yamlBy(minimalEdgecoreYaml, environment));
      return 0;
    case 'run':
      return runAgent(flags, environment);
  }
}

async function yamlBy(write: typeof defaultEdgecoreYaml, environment: EdgecoreEnvironment): Promise<string> {
  const { os, edgeHost } = await machineOf(environment);
  return write(os, edgeHost);
}

async function runAgent(flags: EdgecoreFlags, environment: EdgecoreEnvironment): Promise<number> {
  const { now, systemLog, serviceHost } = environment;
  const logs = agentLog({ level: flags.verbosity >= DEBUG_VERBOSITY ? 'debug' : 'info', now, systemLog });
  try {
    return await serviceHost.run(flags.service, await makeAgent(flags, environment, logs));
  } finally {
    logs.close();
  }
}

async function makeAgent(
  flags: EdgecoreFlags,
  environment: EdgecoreEnvironment,
  logs: AgentLog,
): Promise<ServiceProgram> {
  const { version, now, files, logFolder } = environment;
  const { log } = logs;
  const path = configPath(flags, environment);
  const shared = { files, now, random: Math.random, log };
  return agentProgram({
    stateFolder: flags.stateFolder,
    config: path === undefined ? undefined : configFile(path, await machineOf(environment), log),
    version,
    ...shared,
    assemble: (present, onChange) =>
      path === undefined
        ? IDLE
        : assembleAgent({ configFile: path, version, ...requireMachine(environment), ...shared }, present, onChange),
    onStateFolder: (folder) => {
      if (path !== undefined) logs.openFile(flags.logFile ?? join(logFolder ?? join(folder, 'log'), LOG_NAME));
    },
  });
}

type Machine = Required<Pick<EdgecoreEnvironment, 'host' | 'podHost' | 'access'>>;

function requireMachine({ host, podHost, access }: EdgecoreEnvironment): Machine {
  if (host !== undefined && podHost !== undefined && access !== undefined) return { host, podHost, access };
  throw new OperatorError('NOT_SUPPORTED', 'Cannot use a configuration: the machine is unknown', {
    hint: 'Use the agent of a complete installation.',
  });
}

const IDLE: AgentParts = {
  definitions: [],
  connected: () => false,
  problem: () => undefined,
  node: () => undefined,
  pods: () => undefined,
};

function configPath(flags: EdgecoreFlags, { defaultConfigFile }: EdgecoreEnvironment): string | undefined {
  const path = flags.configFile ?? (flags.stateFolder === undefined ? defaultConfigFile : undefined);
  if (path !== undefined || flags.stateFolder !== undefined) return path;
  throw new OperatorError('USAGE', 'Missing flag "--config" or "--state-folder"', {
    hint: 'Name the configuration file, or the folder the agent keeps its state in.',
  });
}

async function machineOf(environment: EdgecoreEnvironment): Promise<ConfigMachine> {
  const { os, hostName } = await requireMachine(environment).host.facts();
  return { os, edgeHost: { hostName, cloudAddress: CLOUD_ADDRESS } };
}

/** What the command line asks for. */
interface EdgecoreFlags {
  readonly action: ComponentAction;
  readonly configFile: string | undefined;
  readonly stateFolder: string | undefined;
  readonly logFile: string | undefined;
  /** klog's scale: 4 and above is for people who look for an error. */
  readonly verbosity: number;
  readonly service: string;
}

const FLAGS = {
  ...COMPONENT_FLAGS,
  'log-file': { type: 'string' },
  'state-folder': { type: 'string' },
  service: { type: 'string', default: 'edgecore' },
} as const;

/** Reads upstream's flags, and `--state-folder` and `--service`, which are ours. */
export function readFlags(args: readonly string[]): EdgecoreFlags {
  const values = parseComponentFlags(args, FLAGS);
  return {
    action: actionOf(values),
    configFile: values.config,
    stateFolder: values['state-folder'],
    logFile: values['log-file'],
    verbosity: verbosityOf(values.v),
    service: values.service,
  };
}
