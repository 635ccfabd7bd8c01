import { readFile, stat } from 'node:fs/promises';
import { arch, freemem, hostname, release, totalmem } from 'node:os';
import { OperatorError } from '@fenestra/kernel';
import type { Host, HostFacts, ProcessIdentity } from '@fenestra/platform';
import { readClock } from './clock.ts';
import { readDisk } from './disk.ts';
import { listeningPorts } from './listening-ports.ts';
import { type Distribution, parseOsRelease } from './os-release.ts';
import { identifyProcess, isProcessAlive, readBootId } from './process-identity.ts';
import { findRuntimeEndpoints } from './runtime-endpoints.ts';

/** This Linux machine. */
export function linuxHost(): Host {
  return {
    facts: gatherFacts,
    disk: readDisk,
    portFree: async (port) => !(await listeningPorts()).has(port),
    self: identifySelf,
    isAlive: isProcessAlive,
    async requireElevation(action) {
      if (!isRoot()) throw privilegeError(action);
    },
  };
}

async function gatherFacts(): Promise<HostFacts> {
  const [distribution, bootId, hasSystemd] = await Promise.all([readDistribution(), readBootId(), runsSystemd()]);
  return {
    os: 'linux',
    osName: distribution.name,
    osVersion: distribution.version,
    build: release(),
    edition: distribution.id,
    arch: knownArch(arch()),
    hostName: hostname(),
    totalMemoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    bootId,
    elevated: isRoot(),
    serviceManager: hasSystemd ? 'systemd' : 'none',
    runtimes: await findRuntimeEndpoints(),
    clock: await readClock(hasSystemd),
  };
}

async function readDistribution(): Promise<Distribution> {
  for (const path of ['/etc/os-release', '/usr/lib/os-release']) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== undefined) return parseOsRelease(text);
  }
  return parseOsRelease('');
}

/** The test that systemd's own `sd_booted` makes. */
async function runsSystemd(): Promise<boolean> {
  return stat('/run/systemd/system').then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function knownArch(name: string): HostFacts['arch'] {
  return name === 'x64' || name === 'arm64' ? name : 'other';
}

async function identifySelf(): Promise<ProcessIdentity> {
  const self = await identifyProcess(process.pid);
  if (self === undefined) throw new Error('this process is not in /proc');
  return self;
}

function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

function privilegeError(action: string): OperatorError {
  return new OperatorError('PRIVILEGE_REQUIRED', `${action} needs the rights of root`, {
    hint: 'Run the same command again with sudo.',
  });
}
