import { readFile, stat, statfs } from 'node:fs/promises';
import { arch, freemem, hostname, release, totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import { OperatorError, fileError, systemCodeOf } from '@fenestra/kernel';
import type { Host, HostFacts, ProcessIdentity, ClockFacts, DiskFacts } from '@fenestra/platform';
import { runCommand } from '../run-command.ts';
import { listeningPorts, findRuntimeEndpoints } from './listening.ts';
import { identifyProcess, isProcessAlive, readBootId } from './processes.ts';

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

const PATIENCE_MS = 5_000;

/** The clock, and whether systemd's `timedatectl` (which asks the kernel) says that something keeps it right. */
async function readClock(hasSystemd: boolean): Promise<ClockFacts> {
  const now = new Date();
  if (!hasSystemd) return { now, synchronized: undefined };
  const args = ['show', '--property=NTPSynchronized', '--value'];
  const { stdout } = await runCommand('timedatectl', args, AbortSignal.timeout(PATIENCE_MS));
  return { now, synchronized: parseSynchronized(stdout) };
}

/** `timedatectl` answers `yes` or `no`; anything else is not an answer. */
export function parseSynchronized(answer: string): boolean | undefined {
  const word = answer.trim();
  return word === 'yes' ? true : word === 'no' ? false : undefined;
}

/** The disk that holds `path`, or would if the path existed. */
async function readDisk(path: string): Promise<DiskFacts> {
  let existing = resolve(path);
  for (;;) {
    try {
      const { bsize, blocks, bavail, files, ffree } = await statfs(existing);
      // File systems that make inodes as they need them say that they have none.
      const inodes = files > 0 && { inodes: { total: files, free: ffree } };
      return { path, totalBytes: blocks * bsize, freeBytes: bavail * bsize, ...inodes };
    } catch (cause) {
      const absent = ['ENOENT', 'ENOTDIR'].includes(systemCodeOf(cause)) && existing !== dirname(existing);
      if (!absent) throw fileError(cause, `read the free space of "${path}"`);
      existing = dirname(existing);
    }
  }
}

/** What `/etc/os-release` says of the distribution. */
export interface Distribution {
  readonly name: string;
  readonly version: string;
  readonly id: string;
}

const UNKNOWN = 'unknown';

/** Reads the shell-like assignments of `os-release`; what is missing gets the defaults of its manual page. */
export function parseOsRelease(text: string): Distribution {
  const values = new Map(text.split('\n').flatMap((line) => assignmentOf(line.trim())));
  const id = values.get('ID') ?? 'linux';
  return {
    id,
    name: values.get('PRETTY_NAME') ?? values.get('NAME') ?? 'Linux',
    version: values.get('VERSION_ID') ?? values.get('VERSION_CODENAME') ?? values.get('BUILD_ID') ?? UNKNOWN,
  };
}

function assignmentOf(line: string): readonly (readonly [string, string])[] {
  const parts = /^([A-Z0-9_]+)=(.*)$/.exec(line);
  const [, key, value] = parts ?? [];
  return key === undefined || value === undefined || value === '' ? [] : [[key, unquote(value)]];
}

function unquote(value: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(value)?.[2];
  return quoted === undefined ? value : quoted.replaceAll(/\\(["'$`\\])/g, '$1');
}
