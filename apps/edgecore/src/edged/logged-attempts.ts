import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { highestLoggedAttempt, instancesOf, type ObservedPod, type Pod, podLogFolder } from '@fenestra/pods';

/** Finds the highest attempt with a log of each container that the runtime no longer knows, by name. */
export type LoggedAttempts = (pod: Pod, observed: ObservedPod) => Promise<ReadonlyMap<string, number>>;

/** Looks into the folder with the logs of all pods. */
export function loggedAttempts(logFolder: string): LoggedAttempts {
  return async ({ metadata, spec }, observed) => {
    const all = [...spec.containers, ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])];
    const unknown = all.filter(({ name }) => instancesOf(observed, name).length === 0);
    const found = await Promise.all(
      unknown.map(async ({ name }) => {
        const files = await readdir(join(logFolder, podLogFolder(metadata), name)).catch(() => []);
        return [name, highestLoggedAttempt(files)] as const;
      }),
    );
    return new Map(found.flatMap(([name, attempt]) => (attempt === undefined ? [] : [[name, attempt] as const])));
  };
}
