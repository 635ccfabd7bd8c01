import { Argument, Command } from 'commander';
import { completionScript, SHELLS, type Shell } from '../cli/completion-script.ts';
import { completeWords } from '../cli/complete-words.ts';
import type { CommandContext } from '../cli/program.ts';
import { success } from '../cli/result.ts';

/** `keadm completion SHELL`, and the hidden question that the printed scripts ask. */
export function completionCommand({ deliver }: CommandContext): Command {
  const answer = new Command('words')
    .argument('[words...]', 'words typed so far; the last one is completed')
    .action((words: readonly string[]) => {
      const candidates = completeWords(rootOf(command), words);
      deliver(success(candidates, candidates.join('\n')));
    });
  const command = new Command('completion')
    .description('Print a shell completion script')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addCommand(answer, { hidden: true })
    .action((shell: Shell) => {
      const script = completionScript(shell);
      deliver(success({ shell, script }, script));
    });
  return command;
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}
