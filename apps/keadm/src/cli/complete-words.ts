import type { Command } from 'commander';

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
