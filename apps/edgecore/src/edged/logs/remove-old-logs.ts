import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** An instance of a container that the runtime has. */
interface LoggedInstance {
  readonly name: string;
  readonly attempt: number;
}

/**
 * Removes the logs of instances that are older than every one that the runtime has: a container that fails again and
 * again must not fill the disk. `folder` holds the logs of the pod.
 */
export async function removeOldLogs(folder: string, instances: readonly LoggedInstance[]): Promise<void> {
  for (const [name, own] of Map.groupBy(instances, (instance) => instance.name)) {
    const oldest = Math.min(...own.map(({ attempt }) => attempt));
    const files = await readdir(join(folder, name)).catch(() => []);
    for (const file of files.filter((each) => attemptOf(each) < oldest))
      await rm(join(folder, name, file), { force: true });
  }
}

/** Of a file that is no log, none is older. */
function attemptOf(file: string): number {
  const [, attempt] = /^(\d+)\.log(?:\.|$)/.exec(file) ?? [];
  return attempt === undefined ? Infinity : Number(attempt);
}
