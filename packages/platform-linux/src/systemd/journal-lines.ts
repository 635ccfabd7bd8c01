import { requireServiceName } from '@fenestra/platform';
import { runCommand } from '../run-command.ts';
import { unitName } from './unit-text.ts';
import { answerTime } from './units.ts';

/** What a unit's programs have written last, and nothing where the journal cannot be read: it only helps to explain. */
export async function journalLines(name: string, count: number): Promise<readonly string[]> {
  requireServiceName(name);
  // systemd's own remarks on the unit are in the journal too, and say nothing that its state does not.
  const own = [`_SYSTEMD_UNIT=${unitName(name)}`, '--lines', String(count), '--output', 'cat'];
  const { exitCode, stdout } = await runCommand('journalctl', ['--quiet', '--no-pager', ...own], answerTime());
  return exitCode === 0 ? stdout.split('\n').filter((line) => line !== '') : [];
}
