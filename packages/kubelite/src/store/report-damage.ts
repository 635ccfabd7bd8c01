import type { Logger } from '@fenestra/platform';
import type { OpenedDatabase } from './database.ts';

/** Logs what was damaged, at every start until the objects have been created again. */
export function reportDamage(opened: OpenedDatabase, log: Pick<Logger, 'error'> | undefined): void {
  const { setAside, damagedLog, damaged } = opened;
  if (damagedLog !== undefined)
    log?.error('The write-ahead log of the database was damaged: what can be read of it is used', { damagedLog });
  if (setAside !== undefined)
    log?.error('The database was damaged: the objects that can be read are in a new one', { setAside });
  for (const { resource, namespace, name, reason } of damaged)
    log?.error('A stored object was damaged and is set aside: create it again', { resource, namespace, name, reason });
}
