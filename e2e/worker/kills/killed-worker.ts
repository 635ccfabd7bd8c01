import type { KilledWork } from '../../kill-points/kill-scenario.ts';
import { forgetInCluster } from '../administrator.ts';
import { kubeletProcess } from '../machine-state.ts';
import type { WorkerSite } from '../site/worker-site.ts';
import type { KilledCommand } from './killed-commands.ts';
import { lookAtWorker, type WorkerPicture } from './worker-picture.ts';

/** A command about a worker, to be killed. */
export function killedWorker(command: KilledCommand, site: WorkerSite): KilledWork<WorkerPicture> {
  const { name, staysInService, mayLeaveNode } = command;
  return {
    name,
    machine: site.machine,
    staysInService,
    tidy: async () => (mayLeaveNode ? forgetInCluster(site) : undefined),
    arrange: async () => command.arrange(site),
    args: async () => command.args(site),
    isInService: async () => (await kubeletProcess(site)) !== 0,
    async look() {
      const seen = await lookAtWorker(site);
      return mayLeaveNode && !seen.isRunning ? { ...seen, standing: undefined } : seen;
    },
  };
}
