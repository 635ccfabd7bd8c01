import { planWorkflow, type Phase, type Plan } from '@fenestra/kernel';
import {
  agentService,
  gatherServiceFacts,
  INSTALL_SERVICE,
  refuseJoinedNode,
  REMOVE_SERVICE,
  type ServiceFacts,
} from '@fenestra/lifecycle';
import { changeNode } from '@fenestra/session';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { changeResult, dryRunResult } from '../../cli/change-result.ts';
import type { KeadmEnvironment } from '../../platform.ts';
import { openSession } from '../open-session.ts';
import { rootOption, type RootFlag } from '../root-option.ts';

/** `keadm service install` */
export function installCommand(context: CommandContext): Command {
  return changeCommand(context, { name: 'install', workflow: INSTALL_SERVICE }).description(
    'Install this executable as the node agent and start it',
  );
}

/** `keadm service remove` */
export function removeCommand(context: CommandContext): Command {
  return changeCommand(context, { name: 'remove', workflow: REMOVE_SERVICE }).description(
    'Stop the node agent and remove its service and executable; keeps configuration and state',
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
      const makePlan = async () => ({ plan: await planAgent(environment, root, workflow) });
      if (dryRun) return deliver(dryRunResult((await makePlan()).plan));
      const session = await openSession(environment, root, command);
      const { change } = await changeNode(session, `keadm ${command}`, makePlan, environment.signal);
      deliver(changeResult(change));
    });
}

async function planAgent(
  { loadPlatform, executable }: KeadmEnvironment,
  root: string | undefined,
  workflow: readonly Phase<ServiceFacts>[],
): Promise<Plan> {
  const { layout, services } = await loadPlatform(root);
  const facts = await gatherServiceFacts(agentService(layout), services, executable);
  if (workflow === INSTALL_SERVICE) await refuseJoinedNode(facts, layout.agentConfigFile);
  return planWorkflow(workflow, facts);
}
