import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Load } from '../loads/load.ts';
import type { RemoteWorkerOptions } from '../worker-options.ts';
import type { PullServer } from './pull-server.ts';
import { sealFile, type SealedFile, type SealTools } from './sealed-file.ts';

/** So many machines in a row that cannot reach us, and none that can: the others are not made to try. */
const GIVE_UP_AFTER = 3;

/** An offer to one machine. */
export interface Offer {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** Secret: it goes there over the connection. */
  readonly key: string;
  /** To be told how it went. */
  readonly settle: (fetched: boolean) => void;
}

/** Lets machines fetch programs. Nothing is sealed and nothing listens before the first one does. */
export interface PullDesk {
  /** `undefined` if it is not worth trying any more. `address` is ours, as the machine sees it. */
  offer(load: Load, address: string, onProgress: (sent: number) => void): Promise<Offer | undefined>;
  close(): Promise<void>;
}

/** What a desk needs. */
type DeskTools = SealTools & Pick<RemoteWorkerOptions, 'scratchFolder'>;

/** What it is made of is loaded only where something is fetched. */
async function openServer(random: DeskTools['random']): Promise<PullServer> {
  const { openPullServer } = await import('./pull-server.ts');
  return openPullServer(random);
}

/** Opens the desk of one run. */
export function openPullDesk({ scratchFolder, ...tools }: DeskTools): PullDesk {
  let server: Promise<PullServer> | undefined;
  const sealed = new Map<string, Promise<SealedFile>>();
  const sealedPath = (name: string): string => join(scratchFolder, `sealed-${name}`);
  let failures = 0;
  let successes = 0;
  const seal = async ({ path, name }: Load): Promise<SealedFile> => {
    const made = sealed.get(name) ?? sealFile(path, sealedPath(name), tools);
    sealed.set(name, made);
    return made;
  };
  /** A disk that is full here, or a port that is not to be had, is no reason not to send it. */
  const ready = async (load: Load): Promise<{ file: SealedFile; open: PullServer } | undefined> => {
    try {
      const file = await seal(load);
      return file.isBroken() ? undefined : { file, open: await (server ??= openServer(tools.random)) };
    } catch {
      return undefined;
    }
  };
  return {
    async offer(load, address, onProgress) {
      if (successes === 0 && failures >= GIVE_UP_AFTER) return undefined;
      const found = await ready(load);
      if (found === undefined) return undefined;
      const { file, open } = found;
      const pass = open.admit(file, onProgress);
      const settle = (fetched: boolean): void => {
        pass.revoke();
        if (fetched) successes += 1;
        else failures += 1;
      };
      return {
        host: address,
        port: pass.port,
        path: pass.path,
        key: file.key,
        settle,
      };
    },
    async close() {
      await (await server?.catch(() => undefined))?.close();
      for (const [name, file] of sealed) {
        await file.then(({ done }) => done).catch(() => undefined);
        await rm(sealedPath(name), { force: true });
      }
    },
  };
}
