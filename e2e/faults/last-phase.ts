import { newestJournal } from '../kill-points/journal-watch.ts';
import type { KeadmMachine } from '../machines/keadm-machine.ts';

/** The phase that the machine's last run came to, by its journal; undefined if no step of it had begun. */
export async function lastPhase(machine: KeadmMachine): Promise<string | undefined> {
  const journal = await newestJournal(machine);
  const last = journal?.records.findLast((record) => record.type === 'step-begun');
  return journal?.plan?.steps.find(({ index }) => index === last?.index)?.phase.id;
}
