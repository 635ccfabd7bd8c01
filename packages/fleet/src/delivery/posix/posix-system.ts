import { posix } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import { lost, notTidied, unsupported } from '../failures.ts';
import { type FarSystem, type Places, type ProgramCall, runName, type Task, placesOf } from '../far-system.ts';
import { type CommandEnd, wasKilled } from '../remote-command.ts';
import { BEGIN_MARK, quote } from './bootstrap.ts';
import { posixDeliver, type PosixWays } from './deliver.ts';
import { posixMissing } from './missing.ts';
import { runScript } from './run-script.ts';
import { readSurveyAnswer, surveyScript } from './survey.ts';

/** Machines with a POSIX shell, whichever it is and whatever else they lack. */
export function posixSystem(ways: PosixWays): FarSystem {
  return {
    os: 'linux',
    async look({ node, effect, host, context, signal }) {
      const script = surveyScript({
        root: absoluteRoot(node.name, effect.root),
        runName: runName(context.runId, node.name),
      });
      const end = await runScript(host, node, { script, activity: 'looking at it' }, signal);
      const { output, errors } = end;
      const answer = readSurveyAnswer(output);
      if (answer === undefined && wasKilled(end)) throw lost(node.name, 'the connection was lost during the survey');
      if (answer === undefined) throw unsupported(node.name, `it does not identify its system: ${errors}`);
      const { facts, system, ownAddress, base, left, tools, store } = answer;
      if (system !== 'Linux') throw unsupported(node.name, `it is a ${system} machine`);
      return { facts, notes: { base, left: String(left), ownAddress, tools: tools.join(' '), store: store.join(',') } };
    },
    missing: posixMissing,
    deliver: async (task, notes, payload, missing) => posixDeliver(task, ways, notes, payload, missing),
    places: ({ name, runId, root }, notes, sha256) =>
      posixPlaces(notes['base'] ?? '', runName(runId, name), sha256, root),
    call: callProgram,
    async tidy({ node, host, signal }, { runFolder, program }) {
      const order = { script: tidyScript(runFolder, program), activity: 'tidying up' };
      const { exitCode, errors } = await runScript(host, node, order, signal);
      if (exitCode !== 0) throw notTidied(node.name, runFolder, errors);
    },
  };
}

async function callProgram({ node, host, signal }: Task, program: string, call: ProgramCall): Promise<CommandEnd> {
  const { words, input, ...rest } = call;
  const command = `exec ${[program, ...words].map(quote).join(' ')}`;
  const script = `echo ${BEGIN_MARK}\n${command}${input === undefined ? '' : hereText(input)}`;
  return runScript(host, node, { ...rest, script }, signal);
}

/** Given like this it stands in no process list, and the shell's own input stays free for the next script. */
function hereText(line: string): string {
  return ` <<'INPUT'\n${line}\nINPUT`;
}

function posixPlaces(base: string, name: string, sha256: string, root = '/'): Places {
  return placesOf(posix, {
    program: posix.join(base, 'batch/store', sha256, 'keadm'),
    runFolder: posix.join(base, 'batch/runs', name),
    agentConfig: posix.join(root, 'etc/kubeedge/config/edgecore.yaml'),
  });
}

/** A path that is not absolute would count from the run's folder there, which is removed at the end. */
function absoluteRoot(name: string, root: string | undefined): string | undefined {
  if (root === undefined || posix.isAbsolute(root)) return root === '/' ? undefined : root;
  throw new OperatorError('CONFIG_INVALID', `Cannot use "--root ${root}" on "${name}": the path is not absolute`, {
    hint: 'Give the absolute path of the folder on that machine.',
  });
}

/** Has what a run left running stopped by the program, and removes the run's folder once nothing runs there any more. */
function tidyScript(runFolder: string, program: string): string {
  return `
run=${quote(runFolder)}
program=${quote(program)}
echo ${BEGIN_MARK}
for job in "$run"/work "$run"/work-* "$run/undo"; do
  if [ -f "$job/job.json" ] && [ ! -f "$job/exit.json" ] && [ -x "$program" ]; then
    "$program" far-end stop "$job" || exit 1
  fi
done
rm -rf "$run"
`;
}
