import { parseJson } from '@fenestra/kernel';
import type { RecoveryPolicy, ServiceSpec, StartType } from '@fenestra/platform';
import { parseCommand, parseWords } from './exec-words.ts';

const START_TYPES: readonly StartType[] = ['automatic', 'automatic-delayed', 'manual', 'disabled'];

/** The settings of a unit file, as `Section.Key`; of a key that is there twice, the last. */
export type UnitSettings = ReadonlyMap<string, string>;

/** Reads a unit file's text. */
export function parseUnit(text: string): UnitSettings {
  const settings = new Map<string, string>();
  let section = '';
  for (const line of text.replaceAll(/\\\n/g, ' ').split('\n')) {
    section = /^\[(.+)\]$/.exec(line.trim())?.[1] ?? section;
    const [, key, value] = /^\s*([A-Za-z0-9-]+)\s*=\s*(.*?)\s*$/s.exec(line) ?? [];
    if (key !== undefined && value !== undefined) settings.set(`${section}.${key}`, value);
  }
  return settings;
}

/** Whether this adapter has written the unit, whose program is then one that takes SIGHUP as a reload. */
export function isOurs(unit: UnitSettings): boolean {
  return unit.has('X-Fenestra.StartType');
}

/** What a unit file says of a service, also one that others have written. */
export function specOf(name: string, unit: UnitSettings, enabled: boolean): ServiceSpec {
  const description = unit.get('Unit.Description') ?? '';
  return {
    name,
    displayName: textOf(unit.get('X-Fenestra.DisplayName')) ?? description,
    description: textOf(unit.get('X-Fenestra.Description')) ?? description,
    ...parseCommand(unit.get('Service.ExecStart') ?? ''),
    startType: startTypeOf(unit, enabled),
    dependencies: parseWords(unit.get('Unit.Requires') ?? '').map((dependency) => dependency.replace(/\.service$/, '')),
    recovery: registeredRecovery(unit),
    ...(unit.get('X-Fenestra.Rights') === 'all' ? { rights: 'all' } : {}),
    writableFolders: parseWords(unit.get('Service.ReadWritePaths') ?? ''),
  };
}

/** Whether a unit starts with the system is systemd's to say; the unit says what else was wished. */
export function startTypeOf(unit: UnitSettings, enabled: boolean): StartType {
  const wished = START_TYPES.find((type) => type === unit.get('X-Fenestra.StartType'));
  if (enabled) return wished === 'automatic-delayed' ? wished : 'automatic';
  return wished === 'disabled' ? wished : 'manual';
}

/** The policy the unit was made from; of one that others have written or edited since, what its directives say. */
export function registeredRecovery(unit: UnitSettings): RecoveryPolicy {
  const written = writtenDelays(unit);
  const wished = numbersOf(unit.get('X-Fenestra.RestartDelaysSeconds'));
  return {
    restartDelaysSeconds: wished !== undefined && wished[0] === written[0] ? wished : written,
    resetAfterSeconds: Number(unit.get('X-Fenestra.ResetAfterSeconds') ?? 0),
  };
}

function writtenDelays(unit: UnitSettings): readonly number[] {
  const restarts = ['on-failure', 'always', 'on-abnormal'].includes(unit.get('Service.Restart') ?? 'no');
  return restarts ? [Number.parseFloat(unit.get('Service.RestartSec') ?? '0.1')] : [];
}

function textOf(json: string | undefined): string | undefined {
  const value = parseJson(json ?? '');
  return typeof value === 'string' ? value : undefined;
}

function numbersOf(json: string | undefined): readonly number[] | undefined {
  const value = parseJson(json ?? '');
  return Array.isArray(value) && value.every((item) => typeof item === 'number') ? value : undefined;
}
