import { pathExists } from '@fenestra/platform';
import type { WorkerSession } from '../worker-session.ts';

/** The resolver's file that systemd keeps, which knows the real name servers. */
const SYSTEMD_RESOLVER = '/run/systemd/resolve/resolv.conf';

/** What of the machine goes into the kubelet's configuration. */
export interface MachineSettings {
  /** The drive everything is on, on Windows. */
  readonly drive: string | undefined;
  /** The resolver's file, where systemd keeps one. */
  readonly resolver: string | undefined;
}

/** Looks at what the kubelet's configuration takes from the machine. */
export async function machineSettings({ ports, workerFacts }: WorkerSession): Promise<MachineSettings> {
  const facts = await workerFacts();
  if (facts.os === 'windows') return { drive: facts.systemDrive, resolver: undefined };
  const { state } = await ports.services.status('systemd-resolved');
  const resolves = state === 'running' && (await pathExists(SYSTEMD_RESOLVER));
  return { drive: undefined, resolver: resolves ? SYSTEMD_RESOLVER : undefined };
}
