import assert from 'node:assert/strict';

/** How a process under the harness ended. */
export interface ProcessEnd {
  readonly killed: boolean;
  readonly output: string;
}

/** A command that changes a machine, and how to look at that machine. `State` must compare by value. */
export interface KillScenario<State> {
  /** Puts a machine into the state from which the command starts. */
  prepare(): Promise<void>;
  /** Runs the command in its own process that is killed when `killAfter` records are on disk. */
  run(killAfter: number | undefined): Promise<ProcessEnd>;
  /** Runs recovery, killed likewise. */
  recover(killAfter: number | undefined): Promise<ProcessEnd>;
  /** Everything the command may change. */
  look(): Promise<State>;
  /** At which records to kill, asked when the command has run undisturbed; by default at every one. */
  choose?(): Promise<readonly number[]>;
}

/** What the harness saw. */
export interface KillReport {
  /** Kills of the command itself, one per record boundary. */
  readonly boundaries: number;
  /** Kills of recovery, at every boundary of it, after the chosen ones of the former. */
  readonly recoveryBoundaries: number;
  readonly endedApplied: number;
  readonly endedReverted: number;
  /** Kills that left the machine half-way. */
  readonly broken: number;
}

/** What the harness is to do. */
export interface KillOptions {
  /** After a kill at which boundaries recovery is killed too, at each of its boundaries. */
  readonly killRecoveryAfter: readonly number[];
  readonly onKill?: (boundary: number, ended: KillEnd) => void;
  /** Called with what differs where the machine is left half-way; without it the first such kill ends everything. */
  readonly onBroken?: (difference: unknown) => void;
}

/** Where a machine ended up. */
export type KillEnd = 'applied' | 'reverted' | 'broken';

/** A bound in case a command never stops writing records. */
const MOST_BOUNDARIES = 200;

/**
 * Kills a command at every record boundary, one run per boundary, lets recovery run, and compares the machine with
 * what it was before and with what an undisturbed run makes of it. Anything in between is a failure.
 */
export async function killAtEveryBoundary<State>(
  scenario: KillScenario<State>,
  options: KillOptions,
): Promise<KillReport> {
  await scenario.prepare();
  const before = await scenario.look();
  await scenario.run(undefined);
  const after = await scenario.look();
  const chosen = await scenario.choose?.();
  const report = { boundaries: 0, recoveryBoundaries: 0, endedApplied: 0, endedReverted: 0, broken: 0 };

  async function judge(where: string): Promise<KillEnd> {
    const found = await scenario.look();
    if (differenceOf(found, before, where) === undefined) return 'reverted';
    const difference = differenceOf(found, after, `${where} left the machine half-way`);
    if (difference === undefined) return 'applied';
    if (options.onBroken === undefined) throw difference;
    options.onBroken(difference);
    report.broken += 1;
    return 'broken';
  }

  async function killCommandAt(boundary: number): Promise<boolean> {
    await scenario.prepare();
    return (await scenario.run(boundary)).killed;
  }

  for (const boundary of chosen ?? Array.from({ length: MOST_BOUNDARIES }, (_, index) => index + 1)) {
    if (!(await killCommandAt(boundary))) break;
    report.boundaries += 1;
    if (options.killRecoveryAfter.includes(boundary)) report.recoveryBoundaries += await killRecoveryAfter(boundary);
    await scenario.recover(undefined);
    const ended = await judge(`A kill at record ${boundary}`);
    if (ended !== 'broken') report[ended === 'applied' ? 'endedApplied' : 'endedReverted'] += 1;
    options.onKill?.(boundary, ended);
  }

  async function killRecoveryAfter(boundary: number): Promise<number> {
    for (let inner = 1; inner <= MOST_BOUNDARIES; inner += 1) {
      if (!(await scenario.recover(inner)).killed) return inner - 1;
      await scenario.recover(undefined);
      await judge(`A kill at record ${boundary} and another at record ${inner} of recovery`);
      await killCommandAt(boundary);
    }
    throw new Error('Recovery does not come to an end');
  }

  if (report.boundaries === MOST_BOUNDARIES) throw new Error('The command does not come to an end');
  return report;
}

function differenceOf(left: unknown, right: unknown, message: string): unknown {
  try {
    assert.deepEqual(left, right, message);
    return undefined;
  } catch (difference) {
    return difference;
  }
}
