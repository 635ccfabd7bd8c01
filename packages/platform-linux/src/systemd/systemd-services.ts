import { type ServiceManager, requireServiceName } from '@fenestra/platform';
import { runCommand } from '../run-command.ts';
import { commandLine, reloadUnit, restartUnit, startUnit, stopUnit } from './run-unit.ts';
import { heldRecovery } from './held-recovery.ts';
import { forgetUnit, installUnit, removeUnit } from './install-unit.ts';
import { specOf } from './read-unit.ts';
import { answerTime, isEnabled, readUnit, showUnit, statusOf } from './units.ts';
import { unitName } from './unit-text.ts';

/** How to reach systemd. */
export interface SystemdOptions {
  /** Where unit files go. Default `/etc/systemd/system`. */
  readonly unitFolder?: string;
}

/** Services as systemd units. */
export function systemdServices({ unitFolder = '/etc/systemd/system' }: SystemdOptions = {}): ServiceManager {
  return {
    install: (spec) => installUnit(unitFolder, spec),
    status: statusOf,
    async read(name) {
      const properties = await showUnit(name);
      const unit = await readUnit(properties);
      return unit && specOf(name, unit, isEnabled(properties));
    },
    async recovery(name) {
      const properties = await showUnit(name);
      return properties.LoadState === 'loaded' ? heldRecovery(properties) : undefined;
    },
    start: startUnit,
    stop: stopUnit,
    restart: restartUnit,
    control: (name) => reloadUnit(name),
    async remove(name, signal) {
      await stopUnit(name, signal);
      await removeUnit(unitFolder, name, signal);
    },
    forget: (name) => forgetUnit(unitFolder, name, answerTime()),
    lastLines: journalLines,
    commandLine,
  };
}

/** What a unit's programs have written last, and nothing where the journal cannot be read: it only helps to explain. */
async function journalLines(name: string, count: number): Promise<readonly string[]> {
  requireServiceName(name);
  // systemd's own remarks on the unit are in the journal too, and say nothing that its state does not.
  const own = [`_SYSTEMD_UNIT=${unitName(name)}`, '--lines', String(count), '--output', 'cat'];
  const { exitCode, stdout } = await runCommand('journalctl', ['--quiet', '--no-pager', ...own], answerTime());
  return exitCode === 0 ? stdout.split('\n').filter((line) => line !== '') : [];
}
