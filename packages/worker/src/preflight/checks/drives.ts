import type { WorkerHostFacts } from '@fenestra/platform';
import { type Check, pass, warn } from '@fenestra/session';

const USUAL_DRIVE = 'C:';

/** Which drive everything goes to, wherever this program runs from. */
export const drives: Check<{ readonly worker: WorkerHostFacts }> = {
  name: 'drives',
  about: 'which drive everything is installed on (Windows)',
  judge({ worker }) {
    if (worker.os === 'linux') return pass('There are no drives');
    const { systemDrive, programDrive } = worker;
    const elsewhere = programDrive === systemDrive ? '' : `, although this program runs from ${programDrive}`;
    const found = `Everything goes to ${systemDrive}${elsewhere}`;
    if (systemDrive.toUpperCase() === USUAL_DRIVE) return pass(found);
    return warn(found, `Mind that network plugins and scripts often take ${USUAL_DRIVE} for granted.`);
  },
};
