import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRelay, type Endpoint, type Relay } from './relay.ts';

/** A way between a port of this machine's loopback and one of a node's own. */
export interface Passage {
  readonly here: number;
  readonly there: number;
}

/** Ways between this machine and a node that has its own network. */
export interface Doors {
  close(): Promise<void>;
}

/** Outward passages lead from the node's loopback to this machine's, inward ones the other way. */
export async function openDoors(
  leader: string,
  { outward, inward }: { readonly outward: readonly Passage[]; readonly inward: readonly Passage[] },
): Promise<Doors> {
  const folder = await mkdtemp(join(tmpdir(), 'fenestra-door-'));
  const socketOf = ({ here, there }: Passage): Endpoint => ({ path: join(folder, `${here}-${there}`) });
  const relays: Relay[] = [];
  for (const way of outward) relays.push(await openRelay(socketOf(way), { port: way.here }));
  const door = await runInside(leader, [
    ...outward.map((way) => [{ port: way.there }, socketOf(way)]),
    ...inward.map((way) => [socketOf(way), { port: way.there }]),
  ]);
  for (const way of inward) relays.push(await openRelay({ port: way.here }, socketOf(way)));
  return {
    async close() {
      door.kill('SIGKILL');
      for (const relay of relays) await relay.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function runInside(leader: string, stretches: readonly unknown[]): Promise<ChildProcess> {
  const program = join(import.meta.dirname, 'network-door.ts');
  const enter = ['--pdeathsig', 'KILL', 'nsenter', `--net=/proc/${leader}/ns/net`];
  const args = [...enter, process.execPath, program, JSON.stringify(stretches)];
  const door = spawn('setpriv', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(door, 'exit').then(() => {
    throw new Error("Cannot open a door into the node's network");
  });
  await Promise.race([once(door.stdout, 'data'), gone]);
  gone.catch(() => undefined);
  return door;
}
