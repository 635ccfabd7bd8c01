import { once } from 'node:events';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { RemoteHosts, RemoteTarget } from '@fenestra/platform';
import type { RemoteBed } from '@fenestra/platform/contract';
import { mustRun } from '../../support/beds/command.ts';
import type { SshdBed, SshdMachine } from '../../support/beds/sshd-bed.ts';
import { freePort } from '@fenestra/platform/testing/free-port';

const UNKNOWN_NAME = 'localhost';
const CHANGED_NAME = '127.0.0.2';

/** A bed for the contract of remote hosts, and a way to get rid of what it has started. */
export interface SshContractBed {
  readonly bed: RemoteBed;
  stop(): void;
}

/** Makes the machines of an sshd bed what the contract needs. The server has to listen on all of the loopback. */
export async function sshContractBed(
  sshd: SshdBed,
  hosts: RemoteHosts,
  transport: RemoteTarget['transport'],
  signal: AbortSignal,
): Promise<SshContractBed> {
  const strangeKey = join(sshd.folder, `strange_key_${transport}`);
  await mustRun(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', strangeKey], {}, signal);
  const [target, ...jumps] = sshd.machines.map((machine) => targetFor(sshd, machine, transport));
  if (target === undefined) throw new Error('the bed has no machine');
  const strange = (await readFile(`${strangeKey}.pub`, 'utf8')).split(' ').slice(0, 2).join(' ');
  await appendFile(sshd.knownHosts, `[${CHANGED_NAME}]:${target.port} ${strange}\n`);
  const folder = join(sshd.folder, `uploads-${transport}`);
  await mkdir(folder);
  const mute = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const address = mute.address();
  const [type = '', key = ''] = (await readFile(sshd.hostKey, 'utf8')).split(' ');
  const fingerprint = (await mustRun(['ssh-keygen', '-lf', sshd.hostKey], {}, signal)).stdout.split(' ')[1] ?? '';
  const bed: RemoteBed = {
    hosts,
    target,
    jumps: jumps.slice(0, 2),
    fingerprint,
    hostKey: `${type} ${key}`,
    unknownName: UNKNOWN_NAME,
    changedName: CHANGED_NAME,
    strangeKey,
    deadPort: await freePort(),
    mutePort: typeof address === 'object' && address !== null ? address.port : 0,
    folder,
    cutConnections: () => sshd.cutConnections(),
    ...(transport === 'system'
      ? { skips: { 'death by signal': "OpenSSH's client does not tell a death by signal" } }
      : {}),
  };
  return { bed, stop: () => void mute.close() };
}

/** How to log in to a machine of the bed. */
export function targetFor(sshd: SshdBed, machine: SshdMachine, transport: RemoteTarget['transport']): RemoteTarget {
  return {
    name: `machine ${machine.port}`,
    host: machine.host,
    port: machine.port,
    user: sshd.user,
    auth: [{ kind: 'key', path: sshd.keyFile }],
    hostKeys: [],
    jumps: [],
    transport,
    limits: { connectSeconds: 20, idleTimeoutSeconds: 20 },
  };
}
