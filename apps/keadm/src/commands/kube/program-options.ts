import { OperatorError } from '@fenestra/kernel';
import { releaseSecrets } from '@fenestra/releases';
import { parseProgramNames, type ProgramWishes } from '@fenestra/worker';
import type { Command } from 'commander';
import { collect, durationOption, toPath } from '../lifecycle-options.ts';
import { InputOption } from '../input-option.ts';

/** Where programs of Kubernetes come from. */
export interface ProgramFlags {
  readonly version?: string;
  readonly from?: string;
  readonly with: readonly string[];
  readonly withoutChecksum: boolean;
}

/** Adds `--version`, `--from`, `--with` and `--without-checksum`. */
export function programOptions(command: Command): Command {
  return command
    .option('--version <version>', 'Kubernetes version, such as "v1.33.1"')
    .addOption(
      new InputOption('--from <source>', 'folder or URL with the Kubernetes executables, laid out like dl.k8s.io'),
    )
    .option('--with <programs>', 'more executables to install: kubeadm, kube-proxy', collect, [])
    .option('--without-checksum', 'accept executables without a checksum file', false);
}

/** The programs that are wanted; `undefined` where none are asked for. Half of a wish is a mistake. */
export function programWishes(flags: ProgramFlags): ProgramWishes | undefined {
  const { from, version, withoutChecksum } = flags;
  const others = parseProgramNames(flags.with);
  if (from === undefined && version === undefined && others.length === 0 && !withoutChecksum) return undefined;
  if (from !== undefined && version !== undefined) return { from, version, with: others, withoutChecksum };
  throw new OperatorError('USAGE', 'Missing the version or the source of the programs', {
    hint: 'Give both "--version V" and "--from SOURCE".',
  });
}

/** The same, for a command that cannot do without. */
export function requiredPrograms(flags: ProgramFlags): ProgramWishes {
  const wishes = programWishes(flags);
  if (wishes !== undefined) return wishes;
  throw programsMissing();
}

/** A command that cannot do without the programs was not given any. */
export function programsMissing(): OperatorError {
  return new OperatorError('USAGE', 'Missing the version or the source of the programs', {
    hint: 'Give "--version V" and "--from SOURCE".',
  });
}

/** What the run must know of the source, and no journal may. */
export function sourceSecrets({ from }: Pick<ProgramFlags, 'from'>): ReadonlyMap<string, string> {
  return from === undefined ? new Map() : releaseSecrets(from);
}

const DRAIN_LIMIT_SECONDS = 5 * 60;

/** How a node is emptied before its kubelet stops. */
export interface DrainFlags {
  readonly kubeconfig?: string;
  readonly drain: boolean;
  /** Seconds. */
  readonly drainLimit: number;
}

/** Adds `--kubeconfig`, `--no-drain` and `--drain-limit`. */
export function drainOptions(command: Command, purpose: string): Command {
  return command
    .addOption(
      new InputOption(
        '--kubeconfig <file>',
        `kubeconfig of an administrator, to ${purpose} (default: that of the node)`,
      ).argParser(toPath),
    )
    .option('--no-drain', 'do not drain the node')
    .addOption(durationOption('--drain-limit', 'how long to wait for pods to be evicted', DRAIN_LIMIT_SECONDS));
}
