import type { ClockFacts } from '@fenestra/platform';
import type { Native } from '../native.ts';
import { SERVICE_ACCESS, withService } from '../services/scm.ts';
import { readStartType } from '../services/service-settings.ts';
import { queryStatus, toState } from '../services/service-status.ts';

const TIME_SERVICE = 'W32Time';

/**
 * Whether Windows' own time service looks after the clock. Outside a domain it is started only now and then, so that
 * a stopped one says nothing; a disabled one does.
 */
export function readClock(native: Native): ClockFacts {
  const access = SERVICE_ACCESS.QUERY_STATUS | SERVICE_ACCESS.QUERY_CONFIG;
  const synchronized = withService(native, TIME_SERVICE, access, (service) => {
    if (toState(queryStatus(native, service)) === 'running') return true;
    return readStartType(native, TIME_SERVICE, service) === 'disabled' ? false : undefined;
  });
  return { now: new Date(), synchronized };
}
