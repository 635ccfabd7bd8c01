import { isDeepStrictEqual } from 'node:util';
import type { KillScenario, ProcessEnd } from '../../crash/kill-points.ts';
import { isGuarded, isUnfinished, newestJournal } from '../../kill-points/journal-watch.ts';
import { comesTrue } from '../../kill-points/node-picture.ts';
import { mustDo } from '../../lifecycle/answer.ts';
import { forgetInCluster } from '../administrator.ts';
import { kubeletProcess } from '../machine-state.ts';
import type { WorkerSite } from '../site/worker-site.ts';
import type { KilledCommand } from './killed-commands.ts';
import { lookAtWorker, type WorkerPicture } from './worker-picture.ts';

const GUARD_MS = 180_000;
const UNDISTURBED = '';

/** How a command is put to the test. */
export interface KillWishes {
  readonly token: string;
  /** Which records of so many to kill at. */
  readonly choose: (records: number) => readonly number[];
}

/** What is compared after a kill. */
export interface KilledPicture extends WorkerPicture {
  /** Whether a kill left a worker without its kubelet and without a guard, so that somebody had to come and help. */
  readonly wasAbandoned: boolean;
}

/** A command about a worker under the harness. Where a guard stands by, nobody but the guard may repair anything. */
export function killScenario(
  command: KilledCommand,
  site: WorkerSite,
  wishes: KillWishes,
): KillScenario<KilledPicture> {
  const { machine } = site;
  const pictures: KilledPicture[] = [];
  let args: readonly string[] | undefined;
  let wasAbandoned = false;

  async function run(killAfter: number | undefined): Promise<ProcessEnd> {
    const at = killAfter === undefined ? UNDISTURBED : `${killAfter}`;
    const env = { KEADM_TOKEN: wishes.token, FENESTRA_KILL_AFTER_RECORD: at };
    const { exitCode, stdout, stderr } = await machine.keadm(args ?? [], env);
    if (exitCode === 0) return { killed: false, output: stdout };
    if (exitCode === machine.killedExitCode && killAfter !== undefined) return { killed: true, output: stderr };
    throw new Error(`keadm ${command.name} ended with ${exitCode}: ${stdout}${stderr}`);
  }

  return {
    async prepare() {
      wasAbandoned = false;
      const [before] = pictures;
      if (command.mayLeaveNode) await forgetInCluster(site);
      if (before !== undefined && isDeepStrictEqual(pictures.at(-1), before)) return;
      await command.arrange(site);
      args ??= await command.args(site);
    },
    run,
    async recover() {
      const journal = await newestJournal(machine);
      if (isUnfinished(journal) && journal?.plan !== undefined && isGuarded(journal.plan))
        return untilGuardIsDone(site);
      wasAbandoned = command.staysInService && (await kubeletProcess(site)) === 0;
      await mustDo(machine, ['recover']);
      return { killed: false, output: 'by keadm recover' };
    },
    async look() {
      const seen = await lookAtWorker(site);
      const standing = command.mayLeaveNode && !seen.isRunning ? undefined : seen.standing;
      const picture = { ...seen, standing, wasAbandoned };
      pictures.push(picture);
      return picture;
    },
    async choose() {
      return wishes.choose((await newestJournal(machine))?.records.length ?? 0);
    },
  };
}

async function untilGuardIsDone({ machine }: WorkerSite): Promise<ProcessEnd> {
  const isDone = await comesTrue(async () => !isUnfinished(await newestJournal(machine)), GUARD_MS);
  return { killed: false, output: isDone ? 'by the guard' : 'the guard did not come' };
}
