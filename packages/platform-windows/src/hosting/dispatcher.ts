import { OperatorError } from '@fenestra/kernel';
import type { Pointer } from '../koffi.ts';
import type { Native } from '../native.ts';
import { serviceCommand } from '../services/service-command.ts';
import { mustHave } from '../win32-error.ts';

const ENDED = 0;
const LOOK_EVERY_MS = 100;

/** Connects this process to the manager; resolves with what `serviceMain` returns when the manager calls it. */
export function connectToManager<T>(native: Native, name: string, serviceMain: () => T): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const main = () => {
    try {
      resolve(serviceMain());
    } catch (error) {
      reject(error);
    }
  };
  const thread = mustHave(native, native.hosting.startDispatcher(name, main), `run "${name}" as a service`);
  // The timer also keeps the process alive until the manager calls.
  const looking = setInterval(() => {
    if (hasEnded(native, thread)) reject(notStartedByManager(name));
  }, LOOK_EVERY_MS);
  return promise.finally(() => clearInterval(looking));
}

/** Outside the manager's care the dispatcher returns without having called ServiceMain. */
function hasEnded(native: Native, thread: Pointer): boolean {
  return native.kernel32.WaitForSingleObject(thread, 0) === ENDED;
}

function notStartedByManager(name: string): OperatorError {
  return new OperatorError(
    'SERVICE_CONFLICT',
    `Cannot run "${name}" as a service: the service manager did not start it`,
    {
      hint: `Start it as a service: ${serviceCommand('start', name)}`,
    },
  );
}
