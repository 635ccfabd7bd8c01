import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';
import type { RemoteTarget } from '@fenestra/platform';
import type { Findings } from './far-system.ts';
import type { Program, RemoteWorkerOptions } from './worker-options.ts';

/** What makes an executable smaller for its way, by the program that undoes it on a machine; the better one first. */
const PACKINGS = ['zstd', 'gzip'] as const;
export type Packing = (typeof PACKINGS)[number];

/** An executable as it travels. */
export interface Load {
  /** No other load of the run is called like it. */
  readonly name: string;
  readonly path: string;
  readonly size: number;
  /** `undefined` if it travels as it is. */
  readonly packing: Packing | undefined;
}

/** The executable as it is. */
export function plainLoad({ path, size, sha256 }: Program): Load {
  return { name: sha256.slice(0, 16), path, size, packing: undefined };
}

/**
 * How an executable is packed for its way to a machine, by what that one can unpack; `undefined` if it travels as it is.
 * Packing is done once, and a network is shared by all nodes; only where none is in between is it a waste.
 */
export function choosePacking(
  compress: RemoteWorkerOptions['compress'],
  target: Pick<RemoteTarget, 'host' | 'jumps'>,
  { tools = '', ownAddress = '' }: Findings['notes'],
): Packing | undefined {
  if (compress === 'never' || (compress === 'auto' && isThisMachine(target, ownAddress))) return undefined;
  const there = tools.split(' ');
  return PACKINGS.find((packing) => there.includes(packing));
}

/** Only if both see the other at a loopback address: one end alone is that of a tunnel. */
function isThisMachine({ host, jumps }: Pick<RemoteTarget, 'host' | 'jumps'>, ownAddress: string): boolean {
  return jumps.length === 0 && (host === 'localhost' || isLoopback(host)) && isLoopback(ownAddress);
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Packs executables once, for however many machines. */
export interface Packer {
  /** A disk that is full here is not a reason not to send it: then it goes as it is. */
  pack(program: Program, packing: Packing): Promise<Load>;
  close(): Promise<void>;
}

const PACKERS = { zstd: () => createZstdCompress(), gzip: () => createGzip() } satisfies Record<Packing, unknown>;

/** Opens the packer of one run. */
export function openPacker({ scratchFolder }: Pick<RemoteWorkerOptions, 'scratchFolder'>): Packer {
  const loads = new Map<string, Promise<Load>>();
  const closing = new AbortController();
  const pathOf = (name: string): string => join(scratchFolder, `packed-${name}`);
  const packNow = async (program: Program, name: string, packing: Packing): Promise<Load> => {
    const path = pathOf(name);
    const target = createWriteStream(path, { mode: 0o600 });
    try {
      await pipeline(createReadStream(program.path), PACKERS[packing](), target, { signal: closing.signal });
      return { name, path, size: (await stat(path)).size, packing };
    } catch {
      await rm(path, { force: true });
      return plainLoad(program);
    }
  };
  return {
    async pack(program, packing) {
      const name = `${plainLoad(program).name}-${packing}`;
      const load = loads.get(name) ?? packNow(program, name, packing);
      loads.set(name, load);
      return load;
    },
    async close() {
      closing.abort();
      await Promise.all(loads.values());
      for (const name of loads.keys()) await rm(pathOf(name), { force: true });
    },
  };
}
