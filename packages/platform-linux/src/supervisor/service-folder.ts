import { join } from 'node:path';

/** Where everything about one supervised service is. */
export interface ServiceFolder {
  readonly path: string;
  readonly spec: string;
  readonly record: string;
  readonly log: string;
  readonly readiness: string;
  readonly lock: string;
  readonly pidFile: string;
}

/** The names of the files in a supervised service's folder. */
export function serviceFolder(path: string): ServiceFolder {
  return {
    path,
    spec: join(path, 'spec.json'),
    record: join(path, 'status.json'),
    log: join(path, 'service.log'),
    readiness: join(path, 'readiness'),
    lock: join(path, 'supervisor.lock'),
    pidFile: join(path, 'supervisor.pid'),
  };
}
