import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PodRestart } from '@fenestra/contracts';
import { parseJson } from '@fenestra/kernel';
import type { Logger } from '@fenestra/platform';

/** Hands every waiting request to `store`, which returns whether it knows the pod; then the request is removed. */
export type RestartRequests = (store: (request: PodRestart) => boolean) => Promise<void>;

/** The requests of administrators to restart containers. Where there is no folder, there are none. */
export function restartRequests(folder: string, log: Logger): RestartRequests {
  return async (store) => {
    for (const name of await readdir(folder).catch(() => [])) {
      if (!name.endsWith('.json')) continue;
      const path = join(folder, name);
      const request = PodRestart.safeParse(parseJson(await readFile(path, 'utf8')));
      if (!request.success || !store(request.data))
        log.warn('A request to restart containers is ignored', { file: path });
      else
        log.info('Containers are restarted on request', { ...request.data, instances: request.data.instances.join() });
      await rm(path, { force: true });
    }
  };
}
