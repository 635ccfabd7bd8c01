import { gatherWorkerStatus } from '@fenestra/worker';
import { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { rootOption, type RootFlag } from '../root-option.ts';
import { openWorkerSession } from './open-worker-session.ts';
import { isWorking, workerStatusText } from './status-text.ts';

const NOT_WORKING_EXIT_CODE = 1;

/** `keadm kube status`: exit code 0 only if the worker works. */
export function kubeStatusCommand({ environment, deliver }: CommandContext): Command {
  return new Command('status')
    .description('Show the status of the Kubernetes worker on this machine; exits 0 if healthy')
    .addOption(rootOption())
    .action(async ({ root }: RootFlag) => {
      const session = await openWorkerSession(environment, root, 'status');
      const status = await gatherWorkerStatus(session, environment.signal);
      const working = isWorking(status);
      const exitCode = working ? 0 : NOT_WORKING_EXIT_CODE;
      deliver({ data: { working, ...status }, text: workerStatusText(status), exitCode });
    });
}
