import type { Command } from 'commander';
import { durationOption, toPath } from '../lifecycle-options.ts';
import { InputOption } from '../input-option.ts';

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
