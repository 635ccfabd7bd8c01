import type { ServiceManager } from '@fenestra/platform';
import { commandLine } from './command-line.ts';
import { heldRecovery } from './held-recovery.ts';
import { forgetUnit, installUnit, removeUnit } from './install-unit.ts';
import { journalLines } from './journal-lines.ts';
import { specOf } from './read-unit.ts';
import { reloadUnit, restartUnit, startUnit, stopUnit } from './run-unit.ts';
import { answerTime, isEnabled, readUnit, showUnit, statusOf } from './units.ts';

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
