import { OperatorError, planWorkflow, type Phase, type Plan } from '@fenestra/kernel';
import {
  agentService,
  changeNode,
  gatherServiceFacts,
  INSTALL_SERVICE,
  REMOVE_SERVICE,
  type NodeChange,
  type ServiceFacts,
} from '@fenestra/lifecycle';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { planData, planText } from '../../cli/progress.ts';
import { errorData, errorText } from '../../cli/report-error.ts';
import { success, type CommandResult } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';
import { openSession } from '../open-session.ts';
import { rootOption, type RootFlag } from '../root-option.ts';

/** `keadm service install` */
export function installCommand(context: CommandContext): Command {
  return changeCommand(context, { name: 'install', workflow: INSTALL_SERVICE }).description(
    'Install this program as the node agent and start it',
  );
}

/** `keadm service remove` */
export function removeCommand(context: CommandContext): Command {
  return changeCommand(context, { name: 'remove', workflow: REMOVE_SERVICE }).description(
    'Stop the agent and take its service and program away; configuration and state stay',
  );
}

interface Change {
  readonly name: string;
  readonly workflow: readonly Phase<ServiceFacts>[];
}

function changeCommand({ environment, deliver }: CommandContext, { name, workflow }: Change): Command {
  return new Command(name)
    .addOption(rootOption())
    .option('--dry-run', 'print the plan and change nothing', false)
    .action(async ({ root, dryRun }: RootFlag & { dryRun: boolean }) => {
      const command = `service ${name}`;
      const makePlan = async (): Promise<Plan> => planAgent(environment, root, workflow);
      if (dryRun) return deliver(dryRunResult(await makePlan()));
      const session = await openSession(environment, root, command);
      deliver(changeResult(await changeNode(session, `keadm ${command}`, makePlan, environment.signal)));
    });
}

async function planAgent(
  { loadPlatform, executable }: KeadmEnvironment,
  root: string | undefined,
  workflow: readonly Phase<ServiceFacts>[],
): Promise<Plan> {
  const { layout, services } = await loadPlatform(root);
  return planWorkflow(workflow, await gatherServiceFacts(agentService(layout), services, executable));
}

function dryRunResult(plan: Plan): CommandResult {
  const text = plan.length === 0 ? 'Nothing to do' : planText(plan);
  return success({ dryRun: true, plan: planData(plan) }, text);
}

function changeResult({ outcome, plan, recovered, failure }: NodeChange): CommandResult {
  const data = { outcome, recovered, plan: planData(plan) };
  if (outcome !== 'reverted') return success(data, outcome === 'applied' ? 'Done' : 'Nothing to do: already as wanted');
  if (!(failure instanceof OperatorError)) throw failure;
  const text = `${errorText(failure)}Everything was undone; the machine is as it was before.`;
  return { data: { ...data, error: errorData(failure) }, text, exitCode: failure.exitCode };
}
