import { Option, type Command } from 'commander';
import type { OutputFlag } from '../cli/result.ts';

/** Where runs are kept. */
export interface RunsFlag {
  readonly runs?: string;
}

/** Whether to say only what would happen. */
export interface DryRunFlag {
  readonly dryRun: boolean;
}

/** The options of every command that connects to nodes. */
export interface WorkFlags extends OutputFlag {
  readonly acceptNew: boolean;
  readonly knownHosts?: string;
  readonly program: readonly string[];
}

/** The options of a command about an earlier run's nodes. */
export interface EarlierRunFlags extends WorkFlags, RunsFlag, DryRunFlag {}

/** Which nodes of the file it is about. */
export interface SelectionFlags {
  readonly only: readonly string[];
  readonly select: readonly string[];
}

/** `--runs` */
export function runsOption(): Option {
  return new Option('--runs <folder>', 'folder with runs (default: $XDG_STATE_HOME/fenestra/runs)');
}

/** `--dry-run` */
export function dryRunOption(): Option {
  const option = new Option('--dry-run', 'connect to the nodes, print what would happen to each, and change nothing');
  return option.default(false);
}

/** Adds the options of a command that connects to nodes. */
export function workOptions(command: Command): Command {
  return command
    .option('--accept-new', 'accept and record the host keys of unknown hosts', false)
    .option('--known-hosts <file>', 'file with host keys (default: ~/.ssh/known_hosts and that of the system)')
    .option('--program <kind=file>', 'keadm executable for one platform, such as windows-x64=PATH', collect, []);
}

/** Adds the options of a command that works on an earlier run's nodes. */
export function earlierRunOptions(command: Command): Command {
  return workOptions(command.addOption(dryRunOption()).addOption(runsOption()));
}

/** Adds the choice of nodes. */
export function selectionOptions(command: Command): Command {
  return command
    .option('--only <names>', 'run on these nodes only, separated by commas', collectNames, [])
    .option('--select <label=value>', 'run on nodes with this label only; of several, all must match', collect, []);
}

function collect(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value];
}

function collectNames(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, ...value.split(',').filter((name) => name !== '')];
}
