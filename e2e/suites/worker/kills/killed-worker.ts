import type { KilledWork } from '../../../support/kill-points/kill-scenario.ts';
import { forgetInCluster } from '../../../support/worker/administrator.ts';
import { kubeletProcess } from '../../../support/worker/machine-state.ts';
import type { WorkerSite } from '../../../support/worker/site/worker-site.ts';
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
