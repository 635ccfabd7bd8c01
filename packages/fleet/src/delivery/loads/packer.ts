import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';
import type { Program, RemoteWorkerOptions } from '../worker-options.ts';
import { plainLoad, type Load, type Packing } from './load.ts';

/** Packs executables once, for however many machines. */
export interface Packer {
  /** A disk that is full here is no reason not to send it: then it goes as it is. */
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
