import type { Phase } from '@fenestra/kernel';
import type { UpgradeFacts } from './facts.ts';
import { armGuard } from './phases/arm-guard.ts';
import { backUpVersion } from './phases/back-up-version.ts';
import { exchangeProgram } from './phases/exchange-program.ts';
import { fetchProgram } from './phases/fetch-program.ts';
import { proveVersion } from './phases/prove-version.ts';
import { recordVersion } from './phases/record-version.ts';
import { tidyUp } from './phases/tidy-up.ts';

/** Every failure up to the record leads back to the old version; the guard sees to it if this command cannot. */
export const CHANGE_VERSION: readonly Phase<UpgradeFacts>[] = [
  fetchProgram,
  backUpVersion,
  armGuard,
  exchangeProgram,
  proveVersion,
  recordVersion,
  tidyUp,
];
