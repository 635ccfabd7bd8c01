import { join } from 'node:path';
import type { RecoveryPolicy, ServiceSpec, StartType } from '@fenestra/platform';
import { isJsonObject, type JsonObject, readJsonObject } from './supervisor-record.ts';

/** Where everything about one supervised service is. */
export interface ServiceFolder {
  readonly path: string;
  readonly spec: string;
  readonly record: string;
  readonly log: string;
  readonly readiness: string;
  readonly lock: string;
  readonly pidFile: string;
}

/** The names of the files in a supervised service's folder. */
export function serviceFolder(path: string): ServiceFolder {
  return {
    path,
    spec: join(path, 'spec.json'),
    record: join(path, 'status.json'),
    log: join(path, 'service.log'),
    readiness: join(path, 'readiness'),
    lock: join(path, 'supervisor.lock'),
    pidFile: join(path, 'supervisor.pid'),
  };
}

const START_TYPES: readonly StartType[] = ['automatic', 'automatic-delayed', 'manual', 'disabled'];

/** The spec in a file; `undefined` if it is absent or not a whole spec, which to us is the same as none. */
export async function readSpec(path: string): Promise<ServiceSpec | undefined> {
  const value = await readJsonObject(path);
  return value && parseSpec(value);
}

/** A spec as text, always with the same order of keys, so that equal specs are equal texts. */
export function specText(spec: ServiceSpec): string {
  const { name, displayName, description, executable, args, startType, dependencies, recovery } = spec;
  const { rights, writableFolders } = spec;
  const { restartDelaysSeconds, resetAfterSeconds } = recovery;
  const policy = { restartDelaysSeconds, resetAfterSeconds };
  const ordered = {
    name,
    displayName,
    description,
    executable,
    args,
    startType,
    dependencies,
    recovery: policy,
    ...(rights === undefined ? {} : { rights }),
    writableFolders,
  };
  return `${JSON.stringify(ordered, undefined, 2)}\n`;
}

/** Understands what `specText` has written. */
function parseSpec(value: JsonObject): ServiceSpec | undefined {
  const { name, displayName, description, executable, args, dependencies, writableFolders } = value;
  const startType = START_TYPES.find((type) => type === value['startType']);
  const recovery = parseRecovery(value['recovery']);
  if (!isText(name) || !isText(displayName) || !isText(description) || !isText(executable)) return undefined;
  if (!isTexts(args) || !isTexts(dependencies) || !isTexts(writableFolders)) return undefined;
  if (startType === undefined || recovery === undefined) return undefined;
  const spec = { name, displayName, description, executable, args, startType, dependencies, recovery, writableFolders };
  return value['rights'] === 'all' ? { ...spec, rights: 'all' } : spec;
}

function parseRecovery(value: unknown): RecoveryPolicy | undefined {
  if (!isJsonObject(value)) return undefined;
  const { restartDelaysSeconds, resetAfterSeconds } = value;
  if (typeof resetAfterSeconds !== 'number' || !isNumbers(restartDelaysSeconds)) return undefined;
  return { restartDelaysSeconds, resetAfterSeconds };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'number');
}
