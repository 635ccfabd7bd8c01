import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { RemoteHosts } from '@fenestra/platform';
import type { NewHostKey } from '@fenestra/ssh';
import type { KeadmEnvironment } from '../platform.ts';
import type { WorkFlags } from './batch-options.ts';

const SYSTEM_KNOWN_HOSTS = '/etc/ssh/ssh_known_hosts';
const SYSTEM_CONFIG = '/etc/ssh/ssh_config';

/** Machines that can be connected to, and what there is to tell about their keys afterwards. */
export interface OpenHosts {
  readonly hosts: RemoteHosts;
  /** One line for each host key that was taken as new. */
  readonly recorded: readonly string[];
}

/** Opens the way to the nodes, with the host keys that are known. What it takes is loaded only now. */
export async function openHosts(
  { variables, loadPlatform }: Pick<KeadmEnvironment, 'variables' | 'loadPlatform'>,
  { acceptNew, knownHosts }: WorkFlags,
): Promise<OpenHosts> {
  const { remoteHosts } = await import('@fenestra/ssh');
  const { host } = await loadPlatform(undefined);
  const settings = join(variables['HOME'] ?? homedir(), '.ssh');
  const own = resolve(knownHosts ?? join(settings, 'known_hosts'));
  const recorded: string[] = [];
  const hosts = remoteHosts({
    knownHosts: knownHosts === undefined ? [own, SYSTEM_KNOWN_HOSTS] : [own],
    acceptNew: acceptNew ? { file: own, recorded: (key) => void recorded.push(keyText(key)) } : undefined,
    configFiles: [join(settings, 'config'), SYSTEM_CONFIG],
    // The ssh of Windows cannot share a connection between commands.
    multiplex: (await host.facts()).os !== 'windows',
  });
  return { hosts, recorded };
}

function keyText({ target, type, fingerprint, file }: NewHostKey): string {
  return `Recorded the ${type} key of "${target.name}" in "${file}": ${fingerprint}`;
}
