import { actOnNode, AGENT_SERVICE } from '@fenestra/lifecycle';
import type { ServiceManager } from '@fenestra/platform';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { success, type CommandResult } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';
import { openSession } from '../open-session.ts';
import { rootOption, type RootFlag } from '../root-option.ts';

type Action = 'start' | 'stop' | 'restart' | 'reload';

const DONE: Readonly<Record<Action, string>> = {
  start: 'runs',
  stop: 'is stopped',
  restart: 'runs again',
  reload: 'was told to reload',
};

const LIMIT_MS = 120_000;

/** `keadm service start | stop | restart | reload` */
export function serviceActionCommand({ environment, deliver }: CommandContext, action: Action, title: string): Command {
  return new Command(action)
    .description(title)
    .addOption(rootOption())
    .option('--dry-run', 'say what would happen and change nothing', false)
    .action(async ({ root, dryRun }: RootFlag & { dryRun: boolean }) => {
      if (dryRun) return deliver(await dryRunResult(environment, root, action));
      const session = await openSession(environment, root, `service ${action}`);
      const { services } = session.ports;
      const signal = AbortSignal.any([environment.signal, AbortSignal.timeout(LIMIT_MS)]);
      await actOnNode(session, `keadm service ${action}`, async () => perform(services, action, signal));
      const after = await services.status(AGENT_SERVICE);
      deliver(success({ action, after }, `"${AGENT_SERVICE}" ${DONE[action]}`));
    });
}

async function dryRunResult(
  { loadPlatform }: KeadmEnvironment,
  root: string | undefined,
  action: Action,
): Promise<CommandResult> {
  const before = await (await loadPlatform(root)).services.status(AGENT_SERVICE);
  return success({ dryRun: true, action, before }, `Would ${action} "${AGENT_SERVICE}", which is ${before.state}`);
}

async function perform(services: ServiceManager, action: Action, signal: AbortSignal): Promise<void> {
  if (action === 'reload') return services.control(AGENT_SERVICE, 'reload');
  return services[action](AGENT_SERVICE, signal);
}
