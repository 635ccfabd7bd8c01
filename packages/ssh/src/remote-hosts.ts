import type { RemoteHosts, RemoteTarget } from '@fenestra/platform';
import { sshRemoteHosts } from './library/library-hosts.ts';
import { systemSsh, type SystemSshOptions } from './system/system-hosts.ts';

/** Machines by SSH: each by the transport it asks for, or the only one that can do what it needs. */
export function remoteHosts(options: SystemSshOptions): RemoteHosts {
  const library = sshRemoteHosts(options);
  const system = systemSsh(options);
  return {
    connect: async (target, signal) => (needsSystem(target) ? system : library).connect(target, signal),
  };
}

/** The library knows no certificates. */
function needsSystem(target: RemoteTarget): boolean {
  return [target, ...target.jumps].some(
    ({ transport, auth }) =>
      transport === 'system' || auth.some((way) => way.kind === 'key' && way.certificate !== undefined),
  );
}
