import { OperatorError } from '@fenestra/kernel';
import { releaseSecrets } from '@fenestra/releases';
import { parseProgramNames, type ProgramWishes } from '@fenestra/worker';
import type { Command } from 'commander';
import { collect } from '../lifecycle-options.ts';
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
  throw new OperatorError('USAGE', 'Missing the version or the source of the programs', {
    hint: 'Give "--version V" and "--from SOURCE".',
  });
}

/** What the run must know of the source, and no journal may. */
export function sourceSecrets({ from }: Pick<ProgramFlags, 'from'>): ReadonlyMap<string, string> {
  return from === undefined ? new Map() : releaseSecrets(from);
}
