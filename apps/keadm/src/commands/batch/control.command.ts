import { basename } from 'node:path';
import { findRun, runOwner, sendControl, type ControlWord } from '@fenestra/fleet';
import { OperatorError } from '@fenestra/kernel';
import { Command } from 'commander';
import { runsOption, type RunsFlag } from '../../batch/batch-options.ts';
import { runsFolder } from '../../batch/runs-folder.ts';
import type { CommandContext } from '../../cli/program.ts';
import { success } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';

const WORDS: Readonly<Record<ControlWord, string>> = {
  pause: 'Start no more commands until "keadm batch continue"; commands in progress finish',
  continue: 'Continue a paused run',
  hold: 'Stop the run when the commands in progress have finished; continue it with "keadm batch resume"',
  abort: 'Interrupt and undo the commands in progress, then end the run',
};

/** `keadm batch pause | continue | hold | abort`: said to the process that works on the run. */
export function controlCommands(context: CommandContext): readonly Command[] {
  return (['pause', 'continue', 'hold', 'abort'] as const).map((word) => controlCommand(context, word));
}

function controlCommand({ environment, deliver }: CommandContext, word: ControlWord): Command {
  return new Command(word)
    .description(WORDS[word])
    .argument('[run]', 'name of the run (default: the newest run)')
    .addOption(runsOption())
    .action(async (id: string | undefined, { runs }: RunsFlag) => {
      const folder = await findRun(runsFolder(environment, runs), id);
      await requireOwner(environment, folder, word);
      await sendControl(folder, word, environment.now());
      deliver(success({ run: basename(folder), said: word }, `Requested "${word}" for run ${basename(folder)}`));
    });
}

/** No one would hear it, and a later process must not receive what was meant for an earlier one. */
async function requireOwner({ loadPlatform }: KeadmEnvironment, folder: string, word: ControlWord): Promise<void> {
  const owner = await runOwner(folder);
  const { host } = await loadPlatform(undefined);
  if (owner !== undefined && (await host.isAlive(owner))) return;
  throw new OperatorError(
    'RUN_NOT_FOUND',
    `Cannot ${word} the run "${basename(folder)}": no process is working on it`,
    {
      hint: `Continue it with "keadm batch resume ${basename(folder)}", or see "keadm batch status --all".`,
    },
  );
}
