import { dirname, join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import { type InstallOutcome, type ServiceSpec, requireServiceName } from '@fenestra/platform';
import { posixFileStore } from '../files/posix-file-store.ts';
import { isOurs } from './read-unit.ts';
import { mustSystemctl, systemctl } from './systemctl.ts';
import { type UnitProperties, answerTime, isEnabled, readIfPresent, readUnit, showUnit } from './units.ts';
import { readinessFile, RUNTIME_FOLDER, unitName, unitText } from './unit-text.ts';

/** Readable for all, as unit files are: a spec holds no secrets. */
const UNIT_MODE = 0o644;

/** Writes the unit file and tells systemd of it, as far as anything differs. */
export async function installUnit(unitFolder: string, spec: ServiceSpec): Promise<InstallOutcome> {
  requireServiceName(spec.name);
  const path = join(unitFolder, unitName(spec.name));
  const before = await readIfPresent(path);
  await refuseUnitOfOthers(spec.name, before === undefined ? await showUnit(spec.name) : { FragmentPath: path });
  const written = await writeIfDifferent(path, before, unitText(spec));
  const reloaded = await reloadIfNeeded(spec.name, written);
  if (before === undefined) await clearFailure(spec.name, answerTime());
  const enabled = await enableOrDisable(spec);
  if (before === undefined) return 'created';
  return written || reloaded || enabled ? 'updated' : 'unchanged';
}

/** Deletes the unit file of a stopped service and lets systemd forget it. */
export async function removeUnit(unitFolder: string, name: string, signal: AbortSignal): Promise<void> {
  await forgetUnit(unitFolder, name, signal);
  // Without a file and without a failure to remember, systemd drops the unit.
  await clearFailure(name, signal);
}

/**
 * Deletes the unit file of a service that may go on running. Without the file systemd falls back to its defaults for
 * what still runs, and by those nothing is restarted.
 */
export async function forgetUnit(unitFolder: string, name: string, signal: AbortSignal): Promise<void> {
  const properties = await showUnit(name);
  const { FragmentPath = '', LoadState } = properties;
  const path = join(unitFolder, unitName(name));
  if (LoadState === 'loaded' && FragmentPath !== path) throw foreignUnit(name, FragmentPath);
  if (isEnabled(properties)) await mustSystemctl(['disable', unitName(name)], signal);
  await posixFileStore().removeTree(path, unitFolder, signal);
  await mustSystemctl(['daemon-reload'], signal);
  // systemd itself does this when a unit stops, but not if the unit's file was gone by then.
  await posixFileStore().removeTree(dirname(readinessFile(name)), RUNTIME_FOLDER, signal);
}

/** systemd remembers how a service ended, even one whose unit file is gone; of one it does not know it objects. */
async function clearFailure(name: string, signal: AbortSignal): Promise<void> {
  await systemctl(['reset-failed', unitName(name)], signal);
}

/** Whatever others have registered under this name, here or where systemd found it, is not ours to change or to hide. */
async function refuseUnitOfOthers(name: string, found: UnitProperties): Promise<void> {
  const unit = await readUnit(found);
  if (unit !== undefined && !isOurs(unit)) throw unitOfOthers(name, found.FragmentPath ?? '');
}

async function writeIfDifferent(path: string, before: string | undefined, text: string): Promise<boolean> {
  if (before === text) return false;
  await posixFileStore().replace(path, text, { mode: UNIT_MODE });
  return true;
}

/** systemd may not have read a file that was written before a power cut or by someone else. */
async function reloadIfNeeded(name: string, written: boolean): Promise<boolean> {
  if (!written && (await showUnit(name)).NeedDaemonReload !== 'yes') return false;
  await mustSystemctl(['daemon-reload'], answerTime());
  return true;
}

async function enableOrDisable({ name, startType }: ServiceSpec): Promise<boolean> {
  const wanted = startType === 'automatic' || startType === 'automatic-delayed';
  if (isEnabled(await showUnit(name)) === wanted) return false;
  await mustSystemctl([wanted ? 'enable' : 'disable', unitName(name)], answerTime());
  return true;
}

function foreignUnit(name: string, path: string): OperatorError {
  return new OperatorError('SERVICE_CONFLICT', `Cannot remove service "${name}", which comes from "${path}"`, {
    hint: 'Remove the package that installed it.',
  });
}

function unitOfOthers(name: string, path: string): OperatorError {
  return new OperatorError('SERVICE_CONFLICT', `Cannot install service "${name}", because "${path}" is not ours`, {
    hint: `Look at that unit with "systemctl cat ${name}", and remove or rename it first.`,
    details: { path },
  });
}
