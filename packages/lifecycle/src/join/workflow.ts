import type { Phase } from '@fenestra/kernel';
import type { JoinFacts } from './join-facts.ts';
import { createFolders } from './phases/create-folders.ts';
import { forgetPrevious } from './phases/forget-previous.ts';
import { placeProgram } from './phases/place-program.ts';
import { proveHealthy } from './phases/prove-healthy.ts';
import { recordVersion } from './phases/record-version.ts';
import { registerService } from './phases/register-service.ts';
import { startService } from './phases/start-service.ts';
import { stopForChange } from './phases/stop-for-change.ts';
import { writeConfiguration } from './phases/write-configuration.ts';
import { writeToken } from './phases/write-token.ts';

/** Folders come first, so they are the last to go when a join is undone: with all that the agent made in them. */
export const JOIN: readonly Phase<JoinFacts>[] = [
  createFolders,
  stopForChange,
  placeProgram,
  writeConfiguration,
  writeToken,
  recordVersion,
  registerService,
  startService,
  proveHealthy,
  forgetPrevious,
];
