import type { ServiceProgram } from '@fenestra/platform';
import type { Native, Pointer } from '../native.ts';
import { CONTROL } from '../services/scm.ts';
import { mustHave, must, WIN32 } from '../win32-error.ts';
import type { Note } from '../registry/event-log.ts';

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
  // Answered at once, even while starting: who asks sees that the service heard it, and does not ask again.
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

const OWN_PROCESS = 0x10;
const STATE = { STOPPED: 1, START_PENDING: 2, STOP_PENDING: 3, RUNNING: 4 } as const;
const ACCEPT_STOP = 0x1;
const ACCEPT_SHUTDOWN = 0x4;
const ACCEPT_PRESHUTDOWN = 0x100;
const CHECKPOINT_EVERY_MS = 1000;
/** How long the manager waits for the next checkpoint before it calls the service hung. */
const WAIT_HINT_MS = 20_000;

/** Tells the manager where a service is in its life. */
export interface StatusReporter {
  starting(): void;
  running(): void;
  stopping(): void;
  /** `failure` is our own exit code; without it the end is a clean one. */
  stopped(failure?: number): void;
}

/** Reports through the handle of a registered service; pending states get rising checkpoints until the next state. */
function statusReporter(native: Native, service: Pointer): StatusReporter {
  let beat: NodeJS.Timeout | undefined;
  const report = (state: number, accepts: number, extra: { exitCode?: number; own?: number; checkPoint?: number }) => {
    const { exitCode = 0, own = 0, checkPoint = 0 } = extra;
    const waitHint = checkPoint === 0 ? 0 : WAIT_HINT_MS;
    const status = { type: OWN_PROCESS, state, accepts, exitCode, specificExitCode: own, checkPoint, waitHint };
    must(native, native.hosting.SetServiceStatus(service, status), 'report the state of the service');
  };
  const settle = (...args: Parameters<typeof report>) => {
    clearInterval(beat);
    report(...args);
  };
  const pending = (state: number, accepts: number) => {
    let checkPoint = 1;
    settle(state, accepts, { checkPoint });
    beat = setInterval(() => report(state, accepts, { checkPoint: (checkPoint += 1) }), CHECKPOINT_EVERY_MS);
  };
  return {
    // A stop is taken while starting too, or a start that hangs could not be ended in order.
    starting: () => pending(STATE.START_PENDING, ACCEPT_STOP),
    running: () => settle(STATE.RUNNING, ACCEPT_STOP | ACCEPT_SHUTDOWN | ACCEPT_PRESHUTDOWN, {}),
    stopping: () => pending(STATE.STOP_PENDING, 0),
    stopped: (failure = 0) => {
      const exit = failure === 0 ? {} : { exitCode: WIN32.SERVICE_SPECIFIC_ERROR, own: failure };
      settle(STATE.STOPPED, 0, exit);
    },
  };
}
