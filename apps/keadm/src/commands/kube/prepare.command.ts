import {
  planPreparation,
  PREPARE_CHECKS,
  prepareWorker,
  type PlannedPreparation,
  type PrepareWishes,
} from '@fenestra/worker';
import type { Command } from 'commander';
import { changeResult, dryRunResult } from '../../cli/change-result.ts';
import type { CommandContext } from '../../cli/program.ts';
import { CHANGES_WORKER, NodeCommand } from '../../cli/node-command.ts';
import type { CommandResult } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';
import { lifecycleOptions, type LifecycleFlags } from '../lifecycle-options.ts';
import { scriptsAround } from '../open-session.ts';
import { checkOptions, waivedBy, type CheckFlags } from '../check-options.ts';
import { findingsData, warningLines } from '../../cli/findings-text.ts';
import { openWorkerSession } from './open-worker-session.ts';
import { scriptOptions, scriptResult, type ScriptFlags } from './prepare-script.ts';
import { programOptions, requiredPrograms, sourceSecrets, type ProgramFlags } from './program-options.ts';

interface PrepareFlags extends LifecycleFlags, ProgramFlags, CheckFlags, ScriptFlags {
  readonly criSocket?: string;
}

/** `keadm kube prepare` */
export function prepareCommand(context: CommandContext): Command {
  const command = new NodeCommand('prepare', () => CHANGES_WORKER)
    .description('Install what a Kubernetes worker needs on this machine, without joining a cluster')
    .option('--cri-socket <endpoint>', 'endpoint of the container runtime (default: the installed one)');
  return lifecycleOptions(scriptOptions(checkOptions(programOptions(command), PREPARE_CHECKS))).action(
    async (flags: PrepareFlags) => {
      const wishes = wishesOf(context.environment, flags);
      const { printScript } = flags;
      if (printScript !== undefined) return context.deliver(await scriptResult(context, printScript, flags));
      context.deliver(await prepare(context.environment, flags, wishes));
    },
  );
}

async function prepare(
  environment: KeadmEnvironment,
  flags: PrepareFlags,
  wishes: PrepareWishes,
): Promise<CommandResult> {
  const { signal, terminal } = environment;
  const session = await openWorkerSession(environment, flags.root, 'prepare', sourceSecrets(flags));
  const onPlanned = ({ findings }: PlannedPreparation): void => terminal.err(warningLines(findings, wishes.waived));
  if (flags.dryRun) {
    const planned = await planPreparation(session, wishes, signal);
    onPlanned(planned);
    return dryRunResult(planned.plan, dataOf(planned));
  }
  const facts = { command: 'kube-prepare', version: wishes.programs.version };
  const scripted = await scriptsAround(environment, { session, flags, facts });
  const { change, planned } = await prepareWorker(session, wishes, { scripted, onPlanned }, signal);
  return reported(changeResult(change), planned);
}

function wishesOf({ commitTime }: KeadmEnvironment, flags: PrepareFlags): PrepareWishes {
  return {
    programs: requiredPrograms(flags),
    criSocket: flags.criSocket,
    waived: waivedBy(flags, PREPARE_CHECKS),
    madeAt: new Date(commitTime),
  };
}

function dataOf(planned: PlannedPreparation): Readonly<Record<string, unknown>> {
  return { version: planned.version, checks: findingsData(planned.findings) };
}

function reported(result: CommandResult, planned: PlannedPreparation): CommandResult {
  const data = { ...result.data, ...dataOf(planned) };
  if (result.exitCode !== 0) return { ...result, data };
  const next = 'to join a cluster, run "keadm kube join"';
  return {
    ...result,
    data,
    text: `${result.text}\nThis machine is prepared for Kubernetes ${planned.version}; ${next}`,
  };
}
