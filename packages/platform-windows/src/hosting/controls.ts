import type { ServiceProgram } from '@fenestra/platform';
import type { Native } from '../native.ts';
import { CONTROL } from '../services/control.ts';
import { mustHave } from '../win32-error.ts';
import type { Note } from './service-events.ts';
import { statusReporter, type StatusReporter } from './status-reporter.ts';

const NOT_IMPLEMENTED = 120;
const RELOAD_FAILED = 3;

/** A service that the manager knows as starting, and that hears its controls. */
export interface HostedService {
  readonly reporter: StatusReporter;
  /** Fires when the manager wants the service to end, for a stop or a shutdown. */
  readonly stopAsked: AbortSignal;
}

/** Takes the controls of the service and reports it as starting. Belongs into ServiceMain. */
export function takeControls(native: Native, name: string, program: ServiceProgram, note: Note): HostedService {
  const stop = new AbortController();
  const reload = () => void program.reload().catch((error: unknown) => note(RELOAD_FAILED, error));
  const handler = (control: number) => answer(control, () => stop.abort(), reload);
  const handle = native.hosting.registerHandler(name, handler);
  const reporter = statusReporter(native, mustHave(native, handle, `take the controls of service "${name}"`));
  reporter.starting();
  // Told at once, even while starting: who asks sees that the service heard it, and does not ask again.
  stop.signal.addEventListener('abort', () => reporter.stopping(), { once: true });
  return { reporter, stopAsked: stop.signal };
}

/** The manager waits for the answer, so things are only begun here. */
function answer(control: number, stop: () => void, reload: () => void): number {
  switch (control) {
    case CONTROL.STOP:
    case CONTROL.SHUTDOWN:
    case CONTROL.PRESHUTDOWN:
      stop();
      return 0;
    case CONTROL.RELOAD:
      reload();
      return 0;
    case CONTROL.INTERROGATE:
      return 0;
    default:
      return NOT_IMPLEMENTED;
  }
}
