import { runSupervisor } from '#platform';
import { orReport } from '../terminal.ts';

/** Plays the supervisor of one service, on a machine without a service manager. */
export async function play([folder = '']: readonly string[]): Promise<number> {
  return orReport(async () => runSupervisor(folder));
}
