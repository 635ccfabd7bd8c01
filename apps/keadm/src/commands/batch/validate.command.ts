import { loadBatch, type Batch } from '@fenestra/fleet';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { success, type CommandResult } from '../../cli/result.ts';
import { joinLines, notesText } from '../config/config-text.ts';
import { batchFileOption, type BatchFileFlag } from './batch-file-option.ts';

/** `keadm batch validate -c FILE`: every problem at once, without connecting to anything. */
export function validateCommand({ environment, deliver }: CommandContext): Command {
  return new Command('validate')
    .description('Check a batch file and print all problems; makes no connection and asks for no secret')
    .addOption(batchFileOption())
    .action(async ({ config }: BatchFileFlag) => deliver(validResult(await loadBatch(config, environment))));
}

function validResult({ file, nodes, policy, keadm, delivery, compress, notes }: Batch): CommandResult {
  const waves = policy.waves.map(({ name }) => name);
  const shown = nodes.map(({ name, groups, labels, os, shownCommand }) => ({
    name,
    groups,
    labels,
    os,
    command: shownCommand,
  }));
  const head = `"${file}" is valid: ${nodes.length} node(s)${waves.length === 1 ? '' : `, waves ${waves.join(', ')}`}`;
  const data = { file, valid: true, nodes: shown, policy, programs: keadm.kind, delivery, compress, notes };
  return success(data, joinLines(head, notesText(notes)));
}
