import type { ServiceManager } from '@fenestra/platform';
import { actOnNode } from '@fenestra/session';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { success, type CommandResult } from '../../cli/result.ts';
import type { KeadmEnvironment } from '../../platform.ts';
import { openSession } from '../open-session.ts';
import { rootOption, type RootFlag } from '../input-option.ts';

const ACTIONS = ['start', 'stop', 'restart', 'reload'] as const;
type Action = (typeof ACTIONS)[number];

const TEXTS: Readonly<Record<Action, { readonly title: string; readonly done: string }>> = {
  start: { title: 'Start the service and wait until it is running', done: 'runs' },
  stop: { title: 'Stop the service and wait until its process has exited', done: 'is stopped' },
  restart: { title: 'Restart the service', done: 'runs again' },
  reload: { title: 'Make the service reload its configuration', done: 'is reloading' },
};

const LIMIT_MS = 120_000;

/** `start | stop | restart | reload` of one service, for the command group `group`. */
export function serviceActionCommands(context: CommandContext, group: string, service: string): readonly Command[] {
  return ACTIONS.map((action) => actionCommand(context, { group, service, action }));
}

interface ServiceAction {
  readonly group: string;
  readonly service: string;
  readonly action: Action;
}

function actionCommand({ environment, deliver }: CommandContext, wanted: ServiceAction): Command {
  const { group, service, action } = wanted;
  return new Command(action)
    .description(TEXTS[action].title)
    .addOption(rootOption())
    .option('--dry-run', 'print the plan and change nothing', false)
    .action(async ({ root, dryRun }: RootFlag & { dryRun: boolean }) => {
      if (dryRun) return deliver(await dryRunResult(environment, root, wanted));
      const session = await openSession(environment, root, `${group} ${action}`);
      const { services } = session.ports;
      const signal = AbortSignal.any([environment.signal, AbortSignal.timeout(LIMIT_MS)]);
      await actOnNode(session, `keadm ${group} ${action}`, async () => perform(services, wanted, signal));
      const after = await services.status(service);
      deliver(success({ action, after }, `"${service}" ${TEXTS[action].done}`));
    });
}

async function dryRunResult(
  { loadPlatform }: KeadmEnvironment,
  root: string | undefined,
  { service, action }: ServiceAction,
): Promise<CommandResult> {
  const before = await (await loadPlatform(root)).services.status(service);
  return success({ dryRun: true, action, before }, `Would ${action} "${service}", which is ${before.state}`);
}

async function perform(
  services: ServiceManager,
  { service, action }: ServiceAction,
  signal: AbortSignal,
): Promise<void> {
  if (action === 'reload') return services.control(service, 'reload');
  return services[action](service, signal);
}
