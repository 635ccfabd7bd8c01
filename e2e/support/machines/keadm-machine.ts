import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startBareLinuxNode } from '../beds/bare-bed.ts';
import type { BedNode, NodeOptions } from '../beds/bed-node.ts';
import { CHECKOUT } from '../beds/checkout.ts';
import type { CommandResult } from '../beds/command.ts';
import { startLinuxNode } from '../beds/linux-bed.ts';
import { startWindowsNode } from '../beds/wine-bed.ts';
import { toWindowsPath } from '../beds/windows-path.ts';

/** A test node with our executable on it, used as an administrator would use it. */
export interface KeadmMachine {
  readonly title: string;
  /** Whether the system starts services again after a reboot. */
  readonly startsServicesAtBoot: boolean;
  /** Which executables run on it. */
  readonly target: 'linux-x64' | 'windows-x64';
  readonly node: BedNode;
  readonly paths: MachinePaths;
  /** The exit code of a process that was killed. */
  readonly killedExitCode: number;
  readonly keadm: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<CommandResult>;
  /** Any other program, run with administrator rights; for as long as it takes. */
  readonly runAsAdministrator: (
    program: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => Promise<CommandResult>;
  /** As a user without administrator rights. */
  readonly keadmWithoutRights: (args: readonly string[]) => Promise<CommandResult>;
  /** How programs on the machine name a file of this checkout, which they can read. */
  readonly nameOf: (checkoutFile: string) => string;
}

/** A path below a folder of the machine, in the machine's own spelling. */
export function pathOn({ target }: KeadmMachine, folder: string, ...names: readonly string[]): string {
  return [folder, ...names].join(target === 'windows-x64' ? '\\' : '/');
}

/** What keadm makes on this system. */
export interface MachinePaths {
  readonly configFolder: string;
  readonly stateFolder: string;
  readonly programFolder: string;
  readonly agent: string;
  readonly bookkeeping: string;
  /** Where their own administrator puts files. */
  readonly ownFolder: string;
}

/** A machine that can be had. */
export interface MachineChoice {
  readonly title: 'Windows' | 'Linux with systemd' | 'Linux without systemd';
  readonly start: (signal: AbortSignal) => Promise<KeadmMachine>;
}

/** How to get each of the three machines. */
export const MACHINES: readonly MachineChoice[] = [
  { title: 'Windows', start: async (signal) => windowsMachine(signal) },
  { title: 'Linux with systemd', start: linuxMachineWithSystemd },
  { title: 'Linux without systemd', start: linuxMachineWithoutSystemd },
];

/** The choice of that title. */
export function machineOf(title: MachineChoice['title']): MachineChoice {
  const choice = MACHINES.find((each) => each.title === title);
  if (choice === undefined) throw new Error(`There is no machine "${title}"`);
  return choice;
}

const WINDOWS_KEADM = 'C:\\Users\\Public\\keadm.exe';
const LINUX_KEADM = '/opt/keadm';
/** What `TerminateProcess` leaves where Node.js kills itself. */
const WINDOWS_KILLED = 1;
const LINUX_KILLED = 137;
/** Longer than any command waits by itself. */
const KEADM_MS = 4 * 60_000;

/** A Windows machine. */
export async function windowsMachine(signal: AbortSignal, options: NodeOptions = {}): Promise<KeadmMachine> {
  const node = await startWindowsNode(options, signal);
  await carry('windows-x64/keadm.exe', node.hostPath(WINDOWS_KEADM));
  return {
    title: 'Windows',
    startsServicesAtBoot: true,
    target: 'windows-x64',
    node,
    killedExitCode: WINDOWS_KILLED,
    paths: {
      configFolder: 'C:\\etc\\kubeedge',
      stateFolder: 'C:\\var\\lib\\kubeedge',
      programFolder: 'C:\\etc\\kubeedge\\bin',
      agent: 'C:\\etc\\kubeedge\\bin\\edgecore.exe',
      bookkeeping: 'C:\\var\\lib\\fenestra',
      ownFolder: 'C:\\Users\\Public',
    },
    keadm: async (args, env = {}) => node.run(WINDOWS_KEADM, args, { elevated: true, env, timeoutMs: KEADM_MS }),
    runAsAdministrator: async (program, args, env = {}) =>
      node.run(program, args, { elevated: true, env, timeoutMs: KEADM_MS }),
    keadmWithoutRights: async (args) => node.run(WINDOWS_KEADM, args),
    nameOf: toWindowsPath,
  };
}

async function linuxMachineWithSystemd(signal: AbortSignal): Promise<KeadmMachine> {
  return linuxMachine('Linux with systemd', await startLinuxNode({}, signal), true);
}

/** A Linux machine on which our own supervisor manages the agent. */
export async function linuxMachineWithoutSystemd(signal: AbortSignal): Promise<KeadmMachine> {
  return linuxMachine('Linux without systemd', await startBareLinuxNode({}, signal), false);
}

/** A Linux machine out of a node that has been started. */
export async function linuxMachine(title: string, node: BedNode, startsServicesAtBoot: boolean): Promise<KeadmMachine> {
  await carry('linux-x64/keadm', node.hostPath(LINUX_KEADM));
  return {
    title,
    startsServicesAtBoot,
    target: 'linux-x64',
    node,
    killedExitCode: LINUX_KILLED,
    paths: {
      configFolder: '/etc/kubeedge',
      stateFolder: '/var/lib/kubeedge',
      programFolder: '/usr/local/bin',
      agent: '/usr/local/bin/edgecore',
      bookkeeping: '/var/lib/fenestra',
      ownFolder: '/opt',
    },
    keadm: async (args, env = {}) => node.run(LINUX_KEADM, args, { env, timeoutMs: KEADM_MS }),
    runAsAdministrator: async (program, args, env = {}) => node.run(program, args, { env, timeoutMs: KEADM_MS }),
    keadmWithoutRights: async (args) => node.run('setpriv', ['--reuid=nobody', '--clear-groups', LINUX_KEADM, ...args]),
    nameOf: (file) => file,
  };
}

async function carry(executable: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(join(CHECKOUT, 'dist', executable), to);
}
