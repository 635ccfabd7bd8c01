/**
 * The Windows node: Wine 10 in its own Debian 13 root. The prefix is the machine: it has its own registry,
 * drive C, service manager and processes. Several run side by side; TCP ports are shared with this machine.
 */
import { randomBytes } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BedNode, NodeOptions, RunOptions } from './bed-node.ts';
import { mountFolder, mountShared, mountSystem, type NodeRoot, openNodeRoot, shareNames } from './node-root.ts';
import { toUnixPath } from './windows-path.ts';
import { prepareWine } from './wine-base.ts';
import { runElevated } from './wine-elevation.ts';
import { STDIO_SHIM, type WineMachine, wineMachine } from './wine-machine.ts';

/** The options of a program on a Windows node. */
export interface WindowsRunOptions extends RunOptions {
  /** Start it with the `runas` verb, as an administrator who confirmed the prompt. Wine's default is not elevated. */
  readonly elevated?: boolean;
}

/** A Windows machine. Programs and paths are given as Windows knows them; exit codes are cut to their low 8 bits. */
export type WindowsNode = BedNode<WindowsRunOptions>;

/** Switches a new Windows node on; its base is made first if this machine has none yet. */
export async function startWindowsNode(options: NodeOptions, signal: AbortSignal): Promise<WindowsNode> {
  const base = await prepareWine(signal);
  const name = options.name ?? `win-${randomBytes(3).toString('hex')}`;
  const root = await openNodeRoot(name, base, signal);
  try {
    await mountSystem(root.cage, root.folder, signal);
    await mountShared(root, options.shared ?? [], signal);
    for (const [path, folder] of Object.entries(options.folders ?? {}))
      await mountFolder(root, folder, toUnixPath(path), signal);
    await shareNames(root);
    await copyFile(join(import.meta.dirname, 'windows-side', 'stdio-shim.cjs'), root.path(STDIO_SHIM));
    const machine = wineMachine(root, signal);
    await machine.switchOn();
    await machine.takeIdentity();
    return windowsNode(name, root, machine);
  } catch (error) {
    await root.cage.close();
    throw error;
  }
}

function windowsNode(name: string, root: NodeRoot, machine: WineMachine): WindowsNode {
  const cycle = async (): Promise<void> => {
    await machine.switchOff();
    await machine.switchOn();
  };
  return {
    name,
    async run(program, args, options = {}) {
      if (options.elevated === true) return runElevated(root, machine, [program, ...args], options);
      return machine.wine([program, ...args], options);
    },
    hostPath: (path) => root.path(toUnixPath(path)),
    reboot: cycle,
    async powerFail() {
      // The server goes last and in order: it keeps the registry in memory, where Windows has it on the disk.
      await root.cage.killAll(['wineserver', 'wineserver64']);
      await cycle();
    },
    stop: async () => root.cage.close(),
  };
}
