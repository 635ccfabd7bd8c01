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
  /** Runs the command in a process of its own that is killed when `killAfter` records are on disk. */
  run(killAfter: number | undefined): Promise<ProcessEnd>;
  /** Runs recovery, killed likewise. */
  recover(killAfter: number | undefined): Promise<ProcessEnd>;
  /** Everything the command may change. */
  look(): Promise<State>;
}

/** What the harness saw. */
export interface KillReport {
  /** Kills of the command itself, one per record boundary. */
  readonly boundaries: number;
  /** Kills of recovery, at every boundary of it, after the chosen ones of the former. */
  readonly recoveryBoundaries: number;
  readonly endedApplied: number;
  readonly endedReverted: number;
}

/** What the harness is to do. */
export interface KillOptions {
  /** After a kill at which boundaries recovery is killed too, at each of its own. */
  readonly killRecoveryAfter: readonly number[];
  readonly onKill?: (boundary: number, ended: 'applied' | 'reverted') => void;
}

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
  const report = { boundaries: 0, recoveryBoundaries: 0, endedApplied: 0, endedReverted: 0 };

  async function judge(where: string): Promise<'applied' | 'reverted'> {
    const found = await scenario.look();
    if (equal(found, before)) return 'reverted';
    assert.deepEqual(found, after, `${where} left the machine half-way`);
    return 'applied';
  }

  async function killCommandAt(boundary: number): Promise<boolean> {
    await scenario.prepare();
    return (await scenario.run(boundary)).killed;
  }

  for (let boundary = 1; boundary <= MOST_BOUNDARIES; boundary += 1) {
    if (!(await killCommandAt(boundary))) break;
    report.boundaries += 1;
    if (options.killRecoveryAfter.includes(boundary)) report.recoveryBoundaries += await killRecoveryAfter(boundary);
    await scenario.recover(undefined);
    const ended = await judge(`A kill at record ${boundary}`);
    report[ended === 'applied' ? 'endedApplied' : 'endedReverted'] += 1;
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

function equal(left: unknown, right: unknown): boolean {
  try {
    assert.deepEqual(left, right);
    return true;
  } catch {
    return false;
  }
}
