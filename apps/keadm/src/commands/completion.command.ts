import { Argument, Command } from 'commander';
import type { CommandContext } from '../cli/program.ts';
import { success } from '../cli/result.ts';

/** `keadm completion SHELL`, and the hidden question that the printed scripts ask. */
export function completionCommand({ deliver }: CommandContext): Command {
  const answer = new Command('words')
    .argument('[words...]', 'words typed so far; the last one is completed')
    .action((words: readonly string[]) => {
      const found = completeWords(rootOf(command), words);
      deliver(success(found, found.join('\n')));
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

/** The shells a script can be printed for. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof SHELLS)[number];

/** Each script only asks `keadm completion words`, so it never goes stale. */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# bash completion for keadm; load it with: source <(keadm completion bash)
_keadm() {
  local IFS=$'\\n'
  COMPREPLY=($(keadm completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _keadm keadm`,

  zsh: `#compdef keadm
# zsh completion for keadm; load it with: source <(keadm completion zsh)
_keadm() {
  local -a candidates
  candidates=("\${(@f)$(keadm completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a candidates
}
compdef _keadm keadm`,

  fish: `# fish completion for keadm; load it with: keadm completion fish | source
function __keadm_candidates
  set -l words (commandline -opc) (commandline -ct)
  keadm completion words -- $words[2..-1] 2>/dev/null
end
complete -c keadm -f -a '(__keadm_candidates)'`,

  powershell: `# PowerShell completion for keadm; load it with: keadm completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName keadm -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '""' }
  keadm completion words -- @words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}`,
};

/** The script that makes a shell complete keadm's commands. */
export function completionScript(shell: Shell): string {
  return SCRIPTS[shell];
}

/** What could stand in place of the last word, given the ones before it. */
export function completeWords(program: Command, words: readonly string[]): readonly string[] {
  const typed = words.at(-1) ?? '';
  const earlier = words.slice(0, -1);
  const command = earlier.reduce(descend, program);
  return [...candidates(command, earlier.at(-1)), ...joinedValues(command, typed)].filter((candidate) =>
    candidate.startsWith(typed),
  );
}

function descend(command: Command, word: string): Command {
  return command.commands.find((child) => child.name() === word) ?? command;
}

/** The values of an option in the form `--option=value`. */
function joinedValues(command: Command, typed: string): readonly string[] {
  const option = command.options.find(({ long }) => typed.startsWith(`${long}=`));
  return option?.argChoices?.map((choice) => `${option.long}=${choice}`) ?? [];
}

function candidates(command: Command, previous: string | undefined): readonly string[] {
  const option = command.options.find(
    ({ long, short }) => previous !== undefined && (long === previous || short === previous),
  );
  if (option?.required === true) return option.argChoices ?? [];
  const commands = command
    .createHelp()
    .visibleCommands(command)
    .map((child) => child.name());
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const options = command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => long ?? []);
  return [...commands, ...choices, ...options];
}
