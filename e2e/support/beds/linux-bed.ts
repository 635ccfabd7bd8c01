/**
 * The Linux node: Debian 12 with systemd, dbus and sshd, booted by systemd-nspawn to multi-user.target. It has its
 * own processes, host name, control group and network (loopback only). Several run side by side.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '@fenestra/kernel';
import type { BedNode, NodeOptions } from './bed-node.ts';
import { cleanEnvironment } from './clean-environment.ts';
import { runCommand } from './command.ts';
import { type Hierarchies, openControlGroup } from './control-group.ts';
import { LINUX_ENVIRONMENT, prepareLinux } from './linux-base.ts';
import { type NodeRoot, openNodeRoot } from './node-root.ts';
import { type Container, type ContainerParts, startContainer } from './nspawn-container.ts';

const BOOT_MS = 90_000;
const PAUSE_MS = 100;

/** How one kind of Linux node differs from others. */
export interface LinuxKind {
  /** The folder with its base. */
  readonly base: string;
  readonly hierarchies: Hierarchies;
  /** Gets its files ready before it boots for the first time; returns more arguments of systemd-nspawn. */
  furnish(root: NodeRoot): Promise<readonly string[]>;
}

/** Boots a new Linux node; its base is made first if this machine has none yet. */
export async function startLinuxNode(options: NodeOptions, signal: AbortSignal): Promise<BedNode> {
  const base = await prepareLinux(signal);
  return bootLinuxNode({ base, hierarchies: 'systemd', furnish: async () => [] }, options, signal);
}

/** Boots a new Linux node of some kind. */
export async function bootLinuxNode(kind: LinuxKind, options: NodeOptions, signal: AbortSignal): Promise<BedNode> {
  const name = options.name ?? `lin-${randomBytes(3).toString('hex')}`;
  const root = await openNodeRoot(name, kind.base, signal);
  const group = await openControlGroup(name, kind.hierarchies);
  const stop = async (): Promise<void> => {
    await root.cage.close();
    await group.remove();
  };
  try {
    const flags = await kind.furnish(root);
    const parts: ContainerParts = { name, root, group, shared: options.shared ?? [], flags };
    return linuxNode(parts, await boot(parts, signal), stop, signal);
  } catch (error) {
    await stop();
    throw error;
  }
}

function linuxNode(parts: ContainerParts, first: Container, stop: () => Promise<void>, signal: AbortSignal): BedNode {
  let container = first;
  const run: BedNode['run'] = async (program, args, options = {}) => {
    const argv = [...enter(container, options.env), program, ...args];
    return runCommand(argv, { ...options, env: {}, label: [program, ...args].join(' ') }, signal);
  };
  return {
    name: parts.name,
    run,
    hostPath: (path) => `/proc/${container.leader}/root${path}`,
    async reboot() {
      await run('systemctl', ['reboot']);
      // nspawn ends with the container, for --keep-unit leaves the restart to its caller.
      await container.ended();
      container = await boot(parts, signal);
    },
    async powerFail() {
      await container.kill();
      container = await boot(parts, signal);
    },
    stop,
  };
}

async function boot(parts: ContainerParts, signal: AbortSignal): Promise<Container> {
  const container = await startContainer(parts, signal);
  const deadline = Date.now() + BOOT_MS;
  while (!(await isUp(container, signal))) {
    if (Date.now() > deadline) throw notUp(parts.name);
    await delay(PAUSE_MS, undefined, { signal });
  }
  return container;
}

async function isUp(container: Container, signal: AbortSignal): Promise<boolean> {
  const ask = [...enter(container), 'systemctl', 'is-active', '--quiet', 'multi-user.target'];
  return (await runCommand(ask, {}, signal)).exitCode === 0;
}

function enter(container: Container, env: Readonly<Record<string, string>> = {}): readonly string[] {
  return ['nsenter', `--target=${container.leader}`, '--all', ...cleanEnvironment({ ...LINUX_ENVIRONMENT, ...env })];
}

function notUp(name: string): OperatorError {
  return new OperatorError('TIMED_OUT', `Cannot boot the Linux node "${name}" within ${BOOT_MS / 1000} s`, {
    hint: 'Run the tests again on a machine that is less busy.',
  });
}
