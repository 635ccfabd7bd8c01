import { newestJournal } from '../../support/kill-points/journal-watch.ts';
import type { KeadmMachine } from '../../support/machines/keadm-machine.ts';

/** The phase that the machine's last run came to, by its journal; undefined if no step of it had begun. */
export async function lastPhase(machine: KeadmMachine): Promise<string | undefined> {
  const journal = await newestJournal(machine);
  const last = journal?.records.findLast((record) => record.type === 'step-begun');
  return journal?.plan?.steps.find(({ index }) => index === last?.index)?.phase.id;
}

/** Whether the machine's last run has come to this phase, be it that it is further on by now. */
export async function hasReached(machine: KeadmMachine, phase: string): Promise<boolean> {
  const journal = await newestJournal(machine);
  const begun = journal?.records.filter((record) => record.type === 'step-begun').map(({ index }) => index) ?? [];
  return journal?.plan?.steps.some((placed) => placed.phase.id === phase && begun.includes(placed.index)) ?? false;
}
