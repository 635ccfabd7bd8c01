import { succeeded } from '../../../support/lifecycle/answer.ts';
import {
  forgetInCluster,
  join,
  joinArgs,
  reset,
  resetArgs,
  upgrade,
  upgradeArgs,
} from '../../../support/worker/administrator.ts';
import { standingOf } from '../../../support/worker/machine-state.ts';
import type { WorkerSite } from '../../../support/worker/site/worker-site.ts';

/** A command that is killed again and again, with all that is needed for a next time. */
export interface KilledCommand {
  readonly name: string;
  /** Whether there is a worker before and after, which then has to go on working or be brought back by a guard. */
  readonly staysInService: boolean;
  /** Whether the cluster may go on knowing of a worker that is undone: no worker may delete its own node. */
  readonly mayLeaveNode: boolean;
  /** Brings the machine, whatever state it is in, to where the command starts. */
  arrange(site: WorkerSite): Promise<void>;
  /** The words of the command. */
  args(site: WorkerSite): Promise<readonly string[]>;
}

/** Every command that changes a worker. */
export const KILLED_COMMANDS: readonly KilledCommand[] = [
  {
    name: 'join',
    staysInService: false,
    mayLeaveNode: true,
    arrange: clean,
    args: async (site) => joinArgs(site),
  },
  {
    name: 'upgrade',
    staysInService: true,
    mayLeaveNode: false,
    arrange: onFirstVersion,
    args: async (site) => upgradeArgs(site, site.releases.next),
  },
  { name: 'reset', staysInService: false, mayLeaveNode: false, arrange: freshlyJoined, args: resetArgs },
];

async function clean(site: WorkerSite): Promise<void> {
  succeeded(await reset(site));
  await forgetInCluster(site);
}

async function freshlyJoined(site: WorkerSite): Promise<void> {
  await clean(site);
  succeeded(await join(site));
}

/** Both ways once, so that from now on both versions have their backups and every cycle looks like the last. */
async function onFirstVersion(site: WorkerSite): Promise<void> {
  const { first, next } = site.releases;
  if ((await standingOf(site)) === undefined) await freshlyJoined(site);
  for (const release of [next, first]) succeeded(await upgrade(site, release));
}
