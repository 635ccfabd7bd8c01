import type { Command } from 'commander';
import { toPath, toSeconds } from '../lifecycle-options.ts';

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
    .option('--kubeconfig <file>', `an administrator's kubeconfig, to ${purpose} (default: the node's own)`, toPath)
    .option('--no-drain', 'do not wait for pods to move to other nodes')
    .option('--drain-limit <time>', 'how long pods may take to move', toSeconds, DRAIN_LIMIT_SECONDS);
}
