import type { StartType } from '@fenestra/platform';
import type { Pointer, Native } from '../native.ts';
import { readStrings } from '../registry/registry.ts';
import { WIN32, win32Error } from '../win32-error.ts';

/** Where the manager keeps what it knows of its services. */
export const SERVICES_KEY = String.raw`SYSTEM\CurrentControlSet\Services`;
const DESCRIPTION = 1;
const DELAYED_START = 3;
const DEMAND_START = 3;
const DISABLED = 4;

/** The settings of a service that every system gives back. */
export interface ServiceSettings {
  readonly displayName: string;
  readonly description: string;
  readonly commandLine: string;
  readonly startType: StartType;
  readonly dependencies: readonly string[];
  readonly account: string;
}

/** Reads what is registered for an open service. */
export function readSettings(native: Native, name: string, service: Pointer): ServiceSettings {
  const config = readConfig(native, name, service);
  return {
    displayName: config.displayName,
    description: readDescription(native, service),
    commandLine: config.commandLine,
    startType: toStartType(config.startType, readNumber(native, service, DELAYED_START) === 1),
    // Wine leaves the dependencies out of its answer, and stores them where Windows does.
    dependencies: readStrings(native, `${SERVICES_KEY}\\${name}`, 'DependOnService'),
    account: config.account ?? '',
  };
}

/** When the system starts an open service. */
export function readStartType(native: Native, name: string, service: Pointer): StartType {
  const { startType } = readConfig(native, name, service);
  return toStartType(startType, readNumber(native, service, DELAYED_START) === 1);
}

/** A setting that is one number; `undefined` where this system does not know it. */
export function readNumber(native: Native, service: Pointer, level: number): number | undefined {
  const call = (buffer: Buffer | null, size: number, needed: [number]) =>
    native.services.QueryServiceConfig2W(service, level, buffer, size, needed);
  return sizedQuery(native, call, 'read a setting of a service')?.readUInt32LE(0);
}

function readConfig(native: Native, name: string, service: Pointer) {
  const action = `read the configuration of service "${name}"`;
  const call = (buffer: Buffer | null, size: number, needed: [number]) =>
    native.services.QueryServiceConfigW(service, buffer, size, needed);
  const buffer = sizedQuery(native, call, action);
  if (buffer === undefined) throw win32Error(WIN32.INVALID_LEVEL, action);
  return native.services.decodeConfig(buffer);
}

function readDescription(native: Native, service: Pointer): string {
  const call = (buffer: Buffer | null, size: number, needed: [number]) =>
    native.services.QueryServiceConfig2W(service, DESCRIPTION, buffer, size, needed);
  const buffer = sizedQuery(native, call, 'read the description of a service');
  return buffer === undefined ? '' : native.services.decodeDescription(buffer);
}

function toStartType(startType: number, delayed: boolean): StartType {
  if (startType === DISABLED) return 'disabled';
  if (startType === DEMAND_START) return 'manual';
  return delayed ? 'automatic-delayed' : 'automatic';
}

/** A call that says how many bytes it needs, then fills a buffer of that size. */
export type SizedCall = (buffer: Buffer | null, size: number, needed: [number]) => number;

/** What the call wrote; `undefined` where this system does not know the level that was asked for. */
export function sizedQuery(native: Native, call: SizedCall, action: string): Buffer | undefined {
  const needed: [number] = [0];
  let buffer = Buffer.alloc(256);
  while (call(buffer, buffer.length, needed) === 0) {
    const error = native.kernel32.GetLastError();
    if (error === WIN32.INVALID_LEVEL) return undefined;
    const grows = needed[0] > buffer.length;
    if (!grows || (error !== WIN32.INSUFFICIENT_BUFFER && error !== WIN32.MORE_DATA)) throw win32Error(error, action);
    buffer = Buffer.alloc(needed[0]);
  }
  return buffer;
}
