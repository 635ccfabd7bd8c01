import { AGENT_SERVICE } from '@fenestra/lifecycle';
import type { ServiceManager } from '@fenestra/platform';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { success } from '../../cli/result.ts';
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
      const { host, services } = await environment.loadPlatform(root);
      const before = await services.status(AGENT_SERVICE);
      if (dryRun) {
        return deliver(
          success({ dryRun, action, before }, `Would ${action} "${AGENT_SERVICE}", which is ${before.state}`),
        );
      }
      if (root === undefined) await host.requireElevation(`keadm service ${action}`);
      await perform(services, action, AbortSignal.any([environment.signal, AbortSignal.timeout(LIMIT_MS)]));
      const after = await services.status(AGENT_SERVICE);
      deliver(success({ action, before, after }, `"${AGENT_SERVICE}" ${DONE[action]}`));
    });
}

async function perform(services: ServiceManager, action: Action, signal: AbortSignal): Promise<void> {
  if (action === 'reload') return services.control(AGENT_SERVICE, 'reload');
  return services[action](AGENT_SERVICE, signal);
}
