import { cpus, freemem, networkInterfaces } from 'node:os';
import type { DiskFacts, Host, HostFacts } from '@fenestra/platform';
import { chooseAddress, interfaceAddresses, routedAddress } from './node-address.ts';
import type { NodeSettings } from './node-settings.ts';

/** What a node's status is made from. */
export interface Machine {
  readonly facts: HostFacts;
  readonly disk: DiskFacts;
  readonly cpuCount: number;
  readonly freeMemoryBytes: number;
  /** The address the node is reached at. */
  readonly address: string;
}

/** Reads the machine as it is now. */
export type MachineReader = (settings: NodeSettings, signal: AbortSignal) => Promise<Machine>;

/** What never changes while a machine runs is read this often all the same: a clock may be set, a runtime installed. */
const FACTS_LIFETIME_MS = 5 * 60_000;

/** Reads this machine. What costs much to find out is kept for a while. */
export function machineReader(host: Host, now: () => Date): MachineReader {
  let known: { readonly facts: HostFacts; readonly until: number } | undefined;
  const currentFacts = async (): Promise<HostFacts> => {
    if (known !== undefined && known.until > now().getTime()) return known.facts;
    const facts = await host.facts();
    known = { facts, until: now().getTime() + FACTS_LIFETIME_MS };
    return facts;
  };
  return async (settings, signal) => {
    const { address, interfaceName, rootDirectory, cloud } = settings;
    const interfaces = interfaceAddresses(networkInterfaces());
    const routed = address === '' && interfaceName === '' ? await routedAddress(cloud, signal) : undefined;
    return {
      facts: await currentFacts(),
      disk: await host.disk(rootDirectory),
      cpuCount: Math.max(1, cpus().length),
      freeMemoryBytes: freemem(),
      address: chooseAddress({ address, interfaceName, interfaces, routed }),
    };
  };
}
