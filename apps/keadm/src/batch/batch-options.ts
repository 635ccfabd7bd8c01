import { Option, type Command } from 'commander';

/** Where runs are kept. */
export interface RunsFlag {
  readonly runs?: string;
}

/** Whether to say only what would happen. */
export interface DryRunFlag {
  readonly dryRun: boolean;
}

/** What every command that connects to nodes can be told. */
export interface WorkFlags {
  readonly acceptNew: boolean;
  readonly knownHosts?: string;
  readonly program: readonly string[];
  readonly output: 'text' | 'json';
}

/** What a command about an earlier run's nodes can be told. */
export interface EarlierRunFlags extends WorkFlags, RunsFlag, DryRunFlag {}

/** Which nodes of the file it is about. */
export interface SelectionFlags {
  readonly only: readonly string[];
  readonly select: readonly string[];
}

/** `--runs` */
export function runsOption(): Option {
  return new Option('--runs <folder>', "where runs are kept (default: the user's folder for states)");
}

/** `--dry-run` */
export function dryRunOption(): Option {
  const option = new Option('--dry-run', 'look at the nodes, print what would happen to each, and change nothing');
  return option.default(false);
}

/** Adds what a command that connects to nodes can be told. */
export function workOptions(command: Command): Command {
  return command
    .option('--accept-new', 'take and record the host keys of machines that nothing is known about', false)
    .option('--known-hosts <file>', 'the file with host keys, instead of ~/.ssh/known_hosts and the one of the system')
    .option('--program <kind=file>', 'keadm for a kind of machine, such as windows-x64=PATH', collect, []);
}

/** Adds what a command that works on an earlier run's nodes can be told. */
export function earlierRunOptions(command: Command): Command {
  return workOptions(command.addOption(dryRunOption()).addOption(runsOption()));
}

/** Adds the choice of nodes. */
export function selectionOptions(command: Command): Command {
  return command
    .option('--only <names>', 'only these nodes, separated by commas', collectNames, [])
    .option('--select <label=value>', 'only nodes with this label; all of them where several are given', collect, []);
}

function collect(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value];
}

function collectNames(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, ...value.split(',').filter((name) => name !== '')];
}
