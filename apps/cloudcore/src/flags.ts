import { networkInterfaces } from 'node:os';
import {
  actionOf,
  COMPONENT_FLAGS,
  type ComponentAction,
  DEFAULT_PROJECT_ID,
  parseComponentFlags,
  verbosityOf,
} from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { splitAddress } from './monitor-server.ts';

/** The embedded Kubernetes API, if it was asked for. */
export interface EmbeddedFlags {
  readonly folder: string;
  readonly address: string;
  readonly port: number;
}

/** What the command line asks for. */
export interface CloudcoreFlags {
  readonly action: ComponentAction;
  readonly configFile: string | undefined;
  readonly embedded: EmbeddedFlags | undefined;
  /** The projects nodes may belong to. */
  readonly projects: readonly string[];
  /** klog's scale: 4 and above is for people who look for an error. */
  readonly verbosity: number;
  readonly service: string;
}

const OPTIONS = {
  ...COMPONENT_FLAGS,
  embedded: { type: 'string' },
  'embedded-address': { type: 'string', default: '127.0.0.1:6443' },
  project: { type: 'string', multiple: true },
  service: { type: 'string', default: 'cloudcore' },
} as const;

/** Reads upstream's flags and ours: `--embedded`, `--embedded-address`, `--project` and `--service`. */
export function readFlags(args: readonly string[]): CloudcoreFlags {
  const values = parseComponentFlags(args, OPTIONS);
  return {
    action: actionOf(values),
    configFile: values.config,
    embedded: values.embedded === undefined ? undefined : embeddedOf(values.embedded, values['embedded-address']),
    projects: values.project ?? [DEFAULT_PROJECT_ID],
    verbosity: verbosityOf(values.v),
    service: values.service,
  };
}

function embeddedOf(folder: string, address: string): EmbeddedFlags {
  const { host, port } = splitAddress(address);
  if (host !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return { folder, address: host, port };
  throw new OperatorError('USAGE', `Cannot read "--embedded-address ${address}"`, {
    hint: 'Give an address and a port, such as "127.0.0.1:6443".',
  });
}

/** The first address others reach this machine at, which is what upstream advertises; loopback if there is no other. */
export function ownAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const [first] = all.filter(({ internal, family }) => !internal && family === 'IPv4');
  return [first?.address ?? '127.0.0.1'];
}
