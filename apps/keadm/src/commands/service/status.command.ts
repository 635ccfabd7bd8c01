import { AGENT_SERVICE } from '@fenestra/lifecycle';
import type { ServiceStatus } from '@fenestra/platform';
import { Command } from 'commander';
import type { AgentStatus } from '@fenestra/contracts';
import { readAgentStatus } from '../../agent-status.ts';
import type { CommandContext } from '../../cli/program.ts';
import { rootOption, type RootFlag } from '../root-option.ts';

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
