import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import type { Cage } from './cage.ts';

/** A registry of images on the loopback interface of a cage, where containerd takes plain HTTP. */
export interface Registry {
  /**
   * What its images are called: every `REGISTRY/REPOSITORY/NAME:TAG` is the same one. `open` needs no account,
   * `private` needs the user and password below, `broken` answers 500, and any other repository is not there.
   */
  readonly registry: string;
  /** What it was asked for, and what it answered: `HEAD /v2/open/busybox/manifests/1 200`. */
  registryLog(): Promise<readonly string[]>;
}

/** The account that the repository `private` needs. */
export const REGISTRY_USER = { username: 'puller', password: 'a secret' } as const;

const PORT = 5000;

/** Serves the image of an OCI layout from inside a cage, until the cage is closed. */
export async function startRegistry(cage: Cage, layout: string, log: string, signal: AbortSignal): Promise<Registry> {
  const program = join(import.meta.dirname, 'registry-main.ts');
  const { username, password } = REGISTRY_USER;
  const argv = [process.execPath, program, String(PORT), layout, log, `${username}:${password}`];
  const child = cage.spawn(argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit').then(refuse);
  if (child.stdout !== null) await Promise.race([once(child.stdout, 'data', { signal }), gone]);
  gone.catch(() => undefined);
  return {
    registry: `127.0.0.1:${PORT}`,
    registryLog: async () => (await readFile(log, 'utf8').catch(() => '')).split('\n').filter((line) => line !== ''),
  };
}

function refuse(): never {
  throw new OperatorError('COMMAND_FAILED', 'Cannot start the registry of a test', {
    hint: 'Read what it said above.',
  });
}
