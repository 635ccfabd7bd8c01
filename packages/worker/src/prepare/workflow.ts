import type { Phase } from '@fenestra/kernel';
import { createFolders } from './phases/create-folders.ts';
import { forgetPrevious } from './phases/forget-previous.ts';
import { openFirewall } from './phases/open-firewall.ts';
import { placeHost } from './phases/place-host.ts';
import { placePrograms } from './phases/place-programs.ts';
import { registerService } from './phases/register-service.ts';
import { writeRecord } from './phases/write-record.ts';
import type { PrepareFacts } from './prepare-facts.ts';

/** Everything a worker needs but a cluster. The record comes after all that it tells of. */
export const PREPARE: readonly Phase<PrepareFacts>[] = [
  createFolders,
  placePrograms,
  placeHost,
  registerService,
  openFirewall,
  writeRecord,
  forgetPrevious,
];
