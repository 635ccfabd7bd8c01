import type { CommandEffect } from '@fenestra/fleet/far-end';
import { Command } from 'commander';

/** What a command declares of its effect on a node. */
export type DeclaredEffect = Omit<CommandEffect, 'root' | 'previewed'>;

/** The text that the command line gives for the first of these options that it has, by their names in code. */
export type OptionText = (...names: readonly string[]) => string | undefined;

/** A command for the node of this machine. It declares its effect, which may depend on its options. */
export class NodeCommand extends Command {
  readonly declaredEffect: (text: OptionText) => DeclaredEffect;

  constructor(name: string, declaredEffect: (text: OptionText) => DeclaredEffect) {
    super(name);
    this.declaredEffect = declaredEffect;
  }
}

/** Of a command that needs an administrator's rights, and whose effect is neither judged, proved nor undone. */
export const PRIVILEGED: DeclaredEffect = { node: 'edge', needsElevation: true, leavesAgent: false, undo: 'none' };

/** Of a command that changes a worker of plain Kubernetes. */
export const CHANGES_WORKER: DeclaredEffect = { ...PRIVILEGED, node: 'worker' };
