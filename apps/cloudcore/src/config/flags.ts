import { parseArgs } from 'node:util';
import { DEFAULT_PROJECT_ID } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { splitAddress } from '../health/monitor-server.ts';

/** The embedded Kubernetes API, if it was asked for. */
export interface EmbeddedFlags {
  readonly folder: string;
  readonly address: string;
  readonly port: number;
}

/** What the command line asks for. */
export interface CloudcoreFlags {
  readonly action: 'run' | 'default-config' | 'minimal-config' | 'version';
  readonly configFile: string | undefined;
  readonly embedded: EmbeddedFlags | undefined;
  /** The projects nodes may belong to. */
  readonly projects: readonly string[];
  /** klog's scale: 4 and above is for people who look for an error. */
  readonly verbosity: number;
  readonly service: string;
}

const OPTIONS = {
  config: { type: 'string' },
  defaultconfig: { type: 'boolean', default: false },
  minconfig: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
  embedded: { type: 'string' },
  'embedded-address': { type: 'string', default: '127.0.0.1:6443' },
  project: { type: 'string', multiple: true },
  v: { type: 'string', short: 'v', default: '0' },
  service: { type: 'string', default: 'cloudcore' },
} as const;

/** Reads upstream's flags and ours: `--embedded`, `--embedded-address`, `--project` and `--service`. */
export function readFlags(args: readonly string[]): CloudcoreFlags {
  const { values } = parse(args);
  return {
    action: actionOf(values),
    configFile: values.config,
    embedded: values.embedded === undefined ? undefined : embeddedOf(values.embedded, values['embedded-address']),
    projects: values.project ?? [DEFAULT_PROJECT_ID],
    verbosity: verbosityOf(values.v),
    service: values.service,
  };
}

function parse(args: readonly string[]) {
  try {
    // Go's flags take a value after "=" where ours do not: "--version=raw", "-v=4".
    const plain = args.map((arg) => arg.replace(/^--version=.*$/, '--version').replace(/^-v=/, '--v='));
    return parseArgs({ args: plain, options: OPTIONS, strict: true });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const names = Object.keys(OPTIONS).map((name) => `--${name}`);
    throw new OperatorError('USAGE', reason, { hint: `The flags are ${names.join(', ')}.`, cause });
  }
}

function actionOf(values: { defaultconfig: boolean; minconfig: boolean; version: boolean }): CloudcoreFlags['action'] {
  if (values.version) return 'version';
  if (values.defaultconfig) return 'default-config';
  return values.minconfig ? 'minimal-config' : 'run';
}

function embeddedOf(folder: string, address: string): EmbeddedFlags {
  const { host, port } = splitAddress(address);
  if (host !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return { folder, address: host, port };
  throw new OperatorError('USAGE', `Cannot read "--embedded-address ${address}"`, {
    hint: 'Give an address and a port, such as "127.0.0.1:6443".',
  });
}

function verbosityOf(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new OperatorError('USAGE', `Cannot read "-v ${text}"`, { hint: 'Give a number, such as "-v 4".' });
}
