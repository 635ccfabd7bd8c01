import { arch, freemem, hostname, totalmem } from 'node:os';
import { statfs } from 'node:fs/promises';
import { win32 } from 'node:path';
import { createServer } from 'node:net';
import { OperatorError, fileError, systemCodeOf } from '@fenestra/kernel';
import type { Host, HostFacts, ProcessIdentity, ClockFacts, DiskFacts, RuntimeEndpoint } from '@fenestra/platform';
import type { Native } from '../native.ts';
import { win32Error, WIN32 } from '../win32-error.ts';
import { elevation } from '../access/token.ts';
import { SERVICE_ACCESS, withService } from '../services/scm.ts';
import { readStartType } from '../services/service-settings.ts';
import { queryStatus, toState } from '../services/service-status.ts';
import { identify, isAlive, readBootId } from './processes.ts';
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

const TIME_SERVICE = 'W32Time';

/**
 * Whether Windows' own time service manages the clock. Outside a domain it is started only now and then, so that
 * a stopped one says nothing; a disabled one does.
 */
function readClock(native: Native): ClockFacts {
  const access = SERVICE_ACCESS.QUERY_STATUS | SERVICE_ACCESS.QUERY_CONFIG;
  const synchronized = withService(native, TIME_SERVICE, access, (service) => {
    if (toState(queryStatus(native, service)) === 'running') return true;
    return readStartType(native, TIME_SERVICE, service) === 'disabled' ? false : undefined;
  });
  return { now: new Date(), synchronized };
}

const ABSENT = ['ENOENT', 'ENOTDIR'];

async function readDisk(path: string): Promise<DiskFacts> {
  const full = win32.resolve(path);
  try {
    const { bsize, blocks, bavail } = await statfs(full);
    return { path: full, totalBytes: bsize * blocks, freeBytes: bsize * bavail };
  } catch (cause) {
    const parent = win32.dirname(full);
    if (parent === full || !ABSENT.includes(systemCodeOf(cause))) throw fileError(cause, `read the disk of "${path}"`);
    return readDisk(parent);
  }
}

/** Windows lets a listener on one address are beside one on all addresses, so each is asked for by itself. */
const ADDRESSES = ['127.0.0.1', '0.0.0.0', '::1', '::'];
/** The machine has no such address, so no one can listen on it. */
const NO_ADDRESS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL', 'ENOTSUP'];

/** Whether a TCP port is free to listen on, on loopback and on all addresses. */
async function isPortFree(port: number): Promise<boolean> {
  for (const address of ADDRESSES) {
    if (!(await canListen(port, address))) return false;
  }
  return true;
}

async function canListen(port: number, host: string): Promise<boolean> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once('error', (error) => resolve(NO_ADDRESS.includes(systemCodeOf(error))));
  server.listen({ port, host, exclusive: true, ipv6Only: host.includes(':') }, () => {
    server.close(() => resolve(true));
  });
  return promise;
}

const AT_ONCE_MS = 1;
const PIPES: readonly { readonly runtime: RuntimeEndpoint['runtime']; readonly pipe: string }[] = [
  { runtime: 'containerd', pipe: 'containerd-containerd' },
  { runtime: 'cri-dockerd', pipe: 'cri-dockerd' },
  { runtime: 'cri-dockerd', pipe: 'dockershim' },
  { runtime: 'docker', pipe: 'docker_engine' },
];

function findRuntimes(native: Native): RuntimeEndpoint[] {
  return PIPES.filter(({ pipe }) => pipeExists(native, pipe)).map(({ runtime, pipe }) => ({
    runtime,
    endpoint: `npipe:////./pipe/${pipe}`,
  }));
}

/** Waiting for a pipe shows whether it is there, even a busy one, without connecting to it. */
function pipeExists(native: Native, pipe: string): boolean {
  if (native.kernel32.WaitNamedPipeW(`\\\\.\\pipe\\${pipe}`, AT_ONCE_MS) !== 0) return true;
  return native.kernel32.GetLastError() !== WIN32.FILE_NOT_FOUND;
}
