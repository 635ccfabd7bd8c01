import { arch, freemem, hostname, totalmem } from 'node:os';
import { OperatorError } from '@fenestra/kernel';
import type { Host, HostFacts, ProcessIdentity } from '@fenestra/platform';
import type { Native } from '../native.ts';
import { win32Error, WIN32 } from '../win32-error.ts';
import { readClock } from './clock.ts';
import { readDisk } from './disk.ts';
import { elevation } from './elevation.ts';
import { isPortFree } from './ports.ts';
import { identify, isAlive, readBootId } from './processes.ts';
import { findRuntimes } from './runtimes.ts';
import { readVersion } from './version.ts';

/** The Windows machine this program runs on. */
export function windowsHost(native: Native): Host {
  return {
    facts: async () => readFacts(native),
    disk: readDisk,
    portFree: isPortFree,
    self: async () => identifySelf(native),
    isAlive: async (identity) => isAlive(native, identity),
    requireElevation: async (action) => requireElevation(native, action),
  };
}

function readFacts(native: Native): HostFacts {
  return {
    os: 'windows',
    ...readVersion(native),
    arch: archOf(arch()),
    hostName: hostname(),
    totalMemoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    bootId: readBootId(native),
    elevated: elevation(native).isElevated(),
    serviceManager: 'scm',
    runtimes: findRuntimes(native),
    clock: readClock(native),
  };
}

function archOf(name: string): HostFacts['arch'] {
  return name === 'x64' || name === 'arm64' ? name : 'other';
}

function identifySelf(native: Native): ProcessIdentity {
  const identity = identify(native, process.pid);
  if (identity === undefined) throw win32Error(WIN32.INVALID_PARAMETER, 'identify this process');
  return identity;
}

function requireElevation(native: Native, action: string): void {
  if (elevation(native).isElevated()) return;
  throw new OperatorError('PRIVILEGE_REQUIRED', `${action} needs the rights of an elevated administrator`, {
    hint: 'Open a command prompt with "Run as administrator", then run the command there.',
  });
}
