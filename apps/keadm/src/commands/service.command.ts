import {
  AGENT_SERVICE,
  agentService,
  gatherServiceFacts,
  INSTALL_SERVICE,
  refuseJoinedNode,
  REMOVE_SERVICE,
  type ServiceFacts,
} from '@fenestra/lifecycle';
import { Command } from 'commander';
import { planWorkflow, type Phase, type Plan } from '@fenestra/kernel';
import { changeNode } from '@fenestra/session';
import type { ServiceStatus } from '@fenestra/platform';
import type { AgentStatus } from '@fenestra/contracts';
import { type CommandContext, commandGroup } from '../cli/program.ts';
import { changeResult, dryRunResult } from '../cli/change-result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { readAgentStatus } from '../agent-status.ts';
import { serviceActionCommands } from './service/action.command.ts';
import { openSession } from './open-session.ts';
import { rootOption, type RootFlag } from './input-option.ts';

/** `keadm service …`: the node agent as a service of this machine. */
export function serviceCommand(context: CommandContext): Command {
  return commandGroup('service', 'Manage the node agent service on this machine', [
    installCommand(context),
    statusCommand(context),
    ...serviceActionCommands(context, 'service', AGENT_SERVICE),
    removeCommand(context),
  ]);
}

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

const NOT_RUNNING_EXIT_CODE = 1;

/** `keadm service status`: exit code 0 only if the agent runs. */
export function statusCommand({ environment, deliver }: CommandContext): Command {
  return new Command('status')
    .description('Show whether the node agent is running; exits 0 if it is')
    .addOption(rootOption())
    .action(async ({ root }: RootFlag) => {
      const { services, layout } = await environment.loadPlatform(root);
      const service = await services.status(AGENT_SERVICE);
      const agent = service.state === 'running' ? await readAgentStatus(layout.stateFolder) : undefined;
      const data = { name: AGENT_SERVICE, ...service, agent, logs: services.commandLine('logs', AGENT_SERVICE) };
      deliver({
        data,
        text: statusText(service, agent),
        exitCode: service.state === 'running' ? 0 : NOT_RUNNING_EXIT_CODE,
      });
    });
}

function statusText({ state, pid, exitCode, startType }: ServiceStatus, agent: AgentStatus | undefined): string {
  const facts = [
    pid === undefined ? undefined : `process ${pid}`,
    startType === undefined ? undefined : `${startType} start`,
    state === 'running' || exitCode === undefined ? undefined : `last exit code ${exitCode}`,
    agent === undefined ? undefined : `version ${agent.version}, since ${agent.startedAt}, ${agent.reloads} reloads`,
  ].filter((fact) => fact !== undefined);
  return [`${AGENT_SERVICE} is ${state}`, ...facts].join(', ');
}
