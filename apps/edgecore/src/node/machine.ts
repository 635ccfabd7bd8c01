import { cpus, networkInterfaces } from 'node:os';
import type { DiskFacts, Host, HostFacts } from '@fenestra/platform';
import { withRuntime } from '@fenestra/cri';
import { chooseAddress, interfaceAddresses, routedAddress } from './node-address.ts';
import type { NodeSettings } from './node-settings.ts';

/** What a node's status is made from. */
export interface Machine {
  readonly facts: HostFacts;
  /** What the configured container runtime says it is, as in `containerd://1.7.24`; `undefined` if it does not answer. */
  readonly runtime: string | undefined;
  readonly disk: DiskFacts;
  readonly cpuCount: number;
  /** The address the node is reached at. */
  readonly address: string;
}

/** Reads the machine as it is now. */
export type MachineReader = (settings: NodeSettings, signal: AbortSignal) => Promise<Machine>;

/** What never changes while a machine runs is read this often all the same: a clock may be set, a runtime installed. */
const FACTS_LIFETIME_MS = 5 * 60_000;
/** A runtime that did not answer is perhaps only starting. */
const NO_ANSWER_LIFETIME_MS = 10_000;

/** Asks the container runtime at an endpoint what it is. */
type RuntimeReader = (endpoint: string, signal: AbortSignal) => Promise<string | undefined>;

type SlowFacts = Pick<Machine, 'facts' | 'runtime'>;

/** Reads this machine. What costs much to find out is kept for a while. */
export function machineReader(
  host: Host,
  now: () => Date,
  readRuntime: RuntimeReader = readRuntimeVersion,
): MachineReader {
  let known: (SlowFacts & { readonly until: number }) | undefined;
  const slowFacts = async ({ runtimeEndpoint }: NodeSettings, signal: AbortSignal): Promise<SlowFacts> => {
    if (known !== undefined && known.until > now().getTime()) return known;
    const facts = await host.facts();
    const runtime = await readRuntime(runtimeEndpoint, signal);
    const lifetime = runtime === undefined ? NO_ANSWER_LIFETIME_MS : FACTS_LIFETIME_MS;
    known = { facts, runtime, until: now().getTime() + lifetime };
    return known;
  };
  return async (settings, signal) => {
    const { address, interfaceName, rootDirectory, cloud } = settings;
    const interfaces = interfaceAddresses(networkInterfaces());
    const routed = address === '' && interfaceName === '' ? await routedAddress(cloud, signal) : undefined;
    const { facts, runtime } = await slowFacts(settings, signal);
    return {
      facts,
      runtime,
      disk: await host.disk(rootDirectory),
      cpuCount: Math.max(1, cpus().length),
      address: chooseAddress({ address, interfaceName, interfaces, routed }),
    };
  };
}

const LIMIT_MS = 2_000;

/** What the container runtime at an endpoint says it is, in the form of a Node's status; `undefined` if none answers. */
export async function readRuntimeVersion(endpoint: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
    return await withRuntime(endpoint, async (_runtime, { name, version }) => `${name}://${version}`, limited);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
