import { isDeepStrictEqual } from 'node:util';
import type { KillScenario, ProcessEnd } from '../crash/kill-points.ts';
import { mustDo } from '../lifecycle/answer.ts';
import type { KeadmMachine } from '../machines/keadm-machine.ts';
import { isGuarded, isUnfinished, newestJournal } from './journal-watch.ts';
import { comesTrue } from './node-picture.ts';

/** How long a guard may take to bring a node back: it has to notice, stop one agent, start another and see it work. */
const GUARD_MS = 180_000;
const UNDISTURBED = '';

/** A command that is killed again and again, with the machine that it changes. */
export interface KilledWork<Picture> {
  readonly name: string;
  readonly machine: KeadmMachine;
  /** Whether something is in service before and after, which then has to go on working or be brought back by a guard. */
  readonly staysInService: boolean;
  /** Removes what a killed run may have left elsewhere than on the machine. */
  tidy?(): Promise<void>;
  /** Brings the machine, whatever state it is in, to where the command starts. */
  arrange(): Promise<void>;
  /** The words of the command; asked once, when the machine has been arranged for the first time. */
  args(): Promise<readonly string[]>;
  isInService(): Promise<boolean>;
  /** All that the command may change. */
  look(): Promise<Picture>;
}

/** How a command is put to the test. */
export interface KillWishes {
  readonly token: string;
  /** Which records of so many to kill at. */
  readonly choose: (records: number) => readonly number[];
}

/** What is compared after a kill. */
type KilledPicture<Picture> = Picture & {
  /** Whether a kill left the machine out of service and without a guard, so that someone had to come and help. */
  readonly wasAbandoned: boolean;
};

/** A command under the harness. Where a guard stands by, no one but the guard may repair anything. */
export function killScenario<Picture extends object>(
  work: KilledWork<Picture>,
  wishes: KillWishes,
): KillScenario<KilledPicture<Picture>> {
  const { machine } = work;
  const pictures: KilledPicture<Picture>[] = [];
  let args: readonly string[] | undefined;
  let wasAbandoned = false;

  async function run(killAfter: number | undefined): Promise<ProcessEnd> {
    const at = killAfter === undefined ? UNDISTURBED : `${killAfter}`;
    const env = { KEADM_TOKEN: wishes.token, FENESTRA_KILL_AFTER_RECORD: at };
    const { exitCode, stdout, stderr } = await machine.keadm(args ?? [], env);
    if (exitCode === 0) return { killed: false, output: stdout };
    if (exitCode === machine.killedExitCode && killAfter !== undefined) return { killed: true, output: stderr };
    throw new Error(`keadm ${work.name} ended with ${exitCode}: ${stdout}${stderr}`);
  }

  function isAsBefore(): boolean {
    const [before] = pictures;
    return before !== undefined && isDeepStrictEqual(pictures.at(-1), before);
  }

  return {
    async prepare() {
      wasAbandoned = false;
      await work.tidy?.();
      if (isAsBefore()) return;
      await work.arrange();
      args ??= await work.args();
    },
    run,
    async recover() {
      if (await isLeftToGuard(machine)) return untilGuardIsDone(machine);
      wasAbandoned = work.staysInService && !(await work.isInService());
      await mustDo(machine, ['recover']);
      return { killed: false, output: 'by keadm recover' };
    },
    async look() {
      const picture = { ...(await work.look()), wasAbandoned };
      pictures.push(picture);
      return picture;
    },
    async choose() {
      const records = (await newestJournal(machine))?.records.length ?? 0;
      return wishes.choose(records);
    },
  };
}

async function isLeftToGuard(machine: KeadmMachine): Promise<boolean> {
  const journal = await newestJournal(machine);
  return isUnfinished(journal) && journal?.plan !== undefined && isGuarded(journal.plan);
}

async function untilGuardIsDone(machine: KeadmMachine): Promise<ProcessEnd> {
  const isDone = await comesTrue(async () => !isUnfinished(await newestJournal(machine)), GUARD_MS);
  return { killed: false, output: isDone ? 'by the guard' : 'the guard did not come' };
}
