import * as fc from 'fast-check';
import * as z from 'zod/mini';
import { expect, test } from 'vitest';
import { OperatorError } from '../errors.ts';
import type { JournalFolder } from '../journal/journal-folder.ts';
import { advance, progressOf, type PlanProgress } from '../journal/progress.ts';
import type { JournalRecord, NewRecord } from '../journal/record.ts';
import { stepDefiner } from '../plan/step-handler.ts';
import type { Plan, Step } from '../plan/step.ts';
import { executePlan, recover } from './recover.ts';
import type { Execution } from './drive.ts';

/** A machine in memory whose power can fail at any of its operations, and whose operations can fail a few times. */
interface Machine {
  readonly cells: Map<string, number>;
  readonly records: JournalRecord[];
  /** Counts down with every operation; at zero the power is gone and every later operation fails too. */
  power: number;
  /** For each cell, how many of the next writes to it fail. */
  readonly failures: Map<string, number>;
}

class PowerCut extends Error {}

function operate(machine: Machine): void {
  machine.power -= 1;
  if (machine.power < 0) throw new PowerCut();
}

function write(machine: Machine, cell: string, value: number): void {
  operate(machine);
  const left = machine.failures.get(cell) ?? 0;
  machine.failures.set(cell, left - 1);
  if (left > 0) throw new OperatorError('DISK_FULL', `Cannot write "${cell}"`, { hint: 'Free some space.' });
  machine.cells.set(cell, value);
}

const SetPair = z.object({
  cell: z.string(),
  value: z.int(),
  pointOfNoReturn: z.exactOptional(z.literal(true)),
});
const Before = z.object({ value: z.int() });

/** Changes two cells one after the other, so that a power cut can fall between them. */
const { handler: setPair } = stepDefiner<Machine>()({
  kind: 'set-pair',
  data: SetPair,
  before: Before,
  describe: ({ cell, value }) => `Set ${cell} to ${value}`,
  async prepare({ cell }, { ports }) {
    operate(ports);
    return { value: ports.cells.get(cell) ?? 0 };
  },
  async apply({ cell, value }, _before, { ports }) {
    write(ports, cell, value);
    write(ports, `${cell}'`, value);
  },
  async revert({ cell }, before, { ports }) {
    write(ports, `${cell}'`, before.value);
    write(ports, cell, before.value);
  },
});

function executionOn(machine: Machine): Execution<Machine> {
  return {
    handlers: [setPair],
    ports: machine,
    onEvent: () => {},
    journal: {
      path: '',
      async append(record: NewRecord) {
        operate(machine);
        const written = { ...record, at: '' };
        machine.records.push(written);
        return written;
      },
    },
  };
}

function journalsOn(machine: Machine): JournalFolder {
  const plan = (): PlanProgress | undefined => {
    const [first] = machine.records;
    return first?.type === 'begun' ? machine.records.reduce(advance, progressOf(first)) : undefined;
  };
  return {
    path: '',
    create: () => Promise.reject(new Error('not part of the simulation')),
    list: async () => [],
    prune: async () => {},
    superseded: async () => [],
    setAside: async (path) => path,
    reopen: async () => ({ close: async () => {}, ...executionOn(machine).journal }),
    async unfinished() {
      const found = plan();
      const open = found !== undefined && found.outcome === undefined;
      return open ? [{ path: '', records: machine.records, validBytes: 0, torn: false, plan: found }] : [];
    },
  };
}

const owner = { pid: 1, startedAt: '', bootId: '' };

async function runUntilSettled(machine: Machine, plan: Plan, powerCuts: readonly number[]): Promise<void> {
  const [first, ...later] = powerCuts;
  machine.power = first ?? Infinity;
  const run = { command: 'test', programVersion: '0', owner, plan };
  await executePlan(run, executionOn(machine), new AbortController().signal).catch(() => undefined);
  for (let attempt = 0; attempt < 60; attempt += 1) {
    if (machine.records.at(-1)?.type === 'ended' || machine.records.length === 0) return;
    machine.power = later[attempt] ?? Infinity;
    const { handlers, ports, onEvent } = executionOn(machine);
    const recoverer = { programVersion: '0', owner };
    await recover({ journals: journalsOn(machine), recoverer, handlers, ports, onEvent }).catch(() => undefined);
  }
  throw new Error('never settled');
}

const step = fc.record({ cell: fc.constantFrom('a', 'b', 'c', 'd'), value: fc.integer({ min: 1, max: 9 }) });
const scenario = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
  noReturnAt: fc.option(fc.nat({ max: 7 }), { nil: undefined }),
  failures: fc.dictionary(fc.constantFrom('a', "a'", 'b', "b'", 'c', "d'"), fc.integer({ min: 1, max: 3 })),
  powerCuts: fc.array(fc.nat({ max: 45 }), { maxLength: 6 }),
});

test('whatever fails and wherever the power is cut, a plan ends fully applied or fully reverted', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ steps, noReturnAt, failures, powerCuts }) => {
      const plan: Plan = [
        { id: 'p', title: 'P', steps: steps.map((each, index) => toStep(each, index === noReturnAt)) },
      ];
      const machine: Machine = { cells: new Map(), records: [], power: 0, failures: new Map(Object.entries(failures)) };
      await runUntilSettled(machine, plan, powerCuts);
      const ended = machine.records.at(-1);
      const applied = ended?.type === 'ended' && ended.outcome === 'applied';
      expect(visible(machine.cells)).toEqual(applied ? target(steps) : {});
      const passedNoReturn = machine.records.some((r) => r.type === 'step-begun' && r.index === noReturnAt);
      if (passedNoReturn) expect(applied).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

function toStep(each: { cell: string; value: number }, noReturn: boolean): Step {
  return { kind: 'set-pair', ...each, ...(noReturn ? { pointOfNoReturn: true as const } : {}) };
}

function target(steps: readonly { cell: string; value: number }[]): Record<string, number> {
  return Object.fromEntries(
    steps.flatMap(({ cell, value }) => [
      [cell, value],
      [`${cell}'`, value],
    ]),
  );
}

/** A cell that was never set reads as zero, so a reverted zero and an absent cell are the same. */
function visible(cells: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...cells].filter(([, value]) => value !== 0));
}
