import { isDeepStrictEqual } from 'node:util';
import type { KillScenario, ProcessEnd } from '../crash/kill-points.ts';
import type { Life } from '../lifecycle/administrator.ts';
import { mustDo } from '../lifecycle/answer.ts';
import { isGuarded, isUnfinished, newestJournal } from './journal-watch.ts';
import type { KilledCommand } from './killed-commands.ts';
import { comesTrue, isConnected, lookAtNode, type NodePicture } from './node-picture.ts';

/** How long a guard may take to bring a node back: it has to notice, stop one agent, start another and see it work. */
const GUARD_MS = 180_000;
const UNDISTURBED = '';

/** How a command is put to the test. */
export interface KillWishes {
  readonly token: string;
  /** Which records of so many to kill at. */
  readonly choose: (records: number) => readonly number[];
}

/** What is compared after a kill. */
export interface KilledPicture extends NodePicture {
  /** Whether a kill left the node without its agent and without a guard, so that somebody had to come and help. */
  readonly wasAbandoned: boolean;
}

/** A command of a node's life under the harness. Where a guard stands by, nobody but the guard may repair anything. */
export function killScenario(command: KilledCommand, life: Life, wishes: KillWishes): KillScenario<KilledPicture> {
  const { machine } = life.node;
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

  function isAsBefore(): boolean {
    const [before] = pictures;
    return before !== undefined && isDeepStrictEqual(pictures.at(-1), before);
  }

  return {
    async prepare() {
      wasAbandoned = false;
      if (isAsBefore()) return;
      await command.arrange(life);
      args ??= await command.args(life);
    },
    run,
    async recover() {
      if (await isLeftToGuard(life)) return untilGuardIsDone(life);
      wasAbandoned = command.staysInService && !(await isConnected(life.node));
      await mustDo(machine, ['recover']);
      return { killed: false, output: 'by keadm recover' };
    },
    async look() {
      const picture = { ...(await lookAtNode(life.node)), wasAbandoned };
      pictures.push(picture);
      return picture;
    },
    async choose() {
      const records = (await newestJournal(machine))?.records.length ?? 0;
      return wishes.choose(records);
    },
  };
}

async function isLeftToGuard({ node }: Life): Promise<boolean> {
  const journal = await newestJournal(node.machine);
  return isUnfinished(journal) && journal?.plan !== undefined && isGuarded(journal.plan);
}

async function untilGuardIsDone({ node }: Life): Promise<ProcessEnd> {
  const isDone = await comesTrue(async () => !isUnfinished(await newestJournal(node.machine)), GUARD_MS);
  return { killed: false, output: isDone ? 'by the guard' : 'the guard did not come' };
}
