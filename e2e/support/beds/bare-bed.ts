/**
 * The Linux node without a service manager: the same Debian 12, entered without booting it, as in a plain container.
 * It has its own processes and files, and shares this machine's network.
 */
import { randomBytes } from 'node:crypto';
import type { BedNode, NodeOptions } from './bed-node.ts';
import { cleanEnvironment } from './clean-environment.ts';
import { LINUX_ENVIRONMENT, prepareLinux } from './linux-base.ts';
import { mountShared, mountSystem, type NodeRoot, openNodeRoot, shareNames } from './node-root.ts';

/** Starts a new node on which nothing runs yet. A reboot or power failure ends everything, and nothing comes back by itself. */
export async function startBareLinuxNode(options: NodeOptions, signal: AbortSignal): Promise<BedNode> {
  const base = await prepareLinux(signal);
  const name = options.name ?? `bare-${randomBytes(3).toString('hex')}`;
  const root = await openNodeRoot(name, base, signal);
  try {
    await mountSystem(root.cage, root.folder, signal);
    await mountShared(root, options.shared ?? [], signal);
    await shareNames(root);
    return bareNode(name, root, signal);
  } catch (error) {
    await root.cage.close();
    throw error;
  }
}

function bareNode(name: string, root: NodeRoot, signal: AbortSignal): BedNode {
  return {
    name,
    async run(program, args, options = {}) {
      const env = cleanEnvironment({ ...LINUX_ENVIRONMENT, ...options.env });
      const label = [program, ...args].join(' ');
      return root.cage.run(['chroot', root.folder, ...env, program, ...args], { ...options, env: {}, label }, signal);
    },
    hostPath: (path) => root.path(path),
    reboot: async () => root.cage.killAll(),
    powerFail: async () => root.cage.killAll(),
    stop: async () => root.cage.close(),
  };
}
