import { type ServiceHost, type ServiceProgram, untilFired } from '@fenestra/platform';
import { OperatorError } from '@fenestra/kernel';
import type { Native, Pointer } from '../native.ts';
import { eventNotes, type Note } from '../registry/event-log.ts';
import { THIS_PROCESS } from '../access/token.ts';
import { serviceCommand } from '../services/command-line.ts';
import { mustHave } from '../win32-error.ts';
import { takeControls, type HostedService } from './controls.ts';

const FAILED = 1;
const EVENT = { START_FAILED: 2, STOP_FAILED: 4 } as const;

/** Runs a program as a Windows service: this process is the service, with nothing in between. */
export function windowsServiceHost(native: Native): ServiceHost {
  return {
    async run(name, program) {
      const note = eventNotes(native, name);
      const service = await connectToManager(native, name, () => takeControls(native, name, program, note));
      endOnUnhandledErrors(native, note);
      return runToEnd(program, service, note);
    },
  };
}

async function runToEnd(program: ServiceProgram, service: HostedService, note: Note): Promise<number> {
  const { reporter, stopAsked } = service;
  try {
    await program.start(stopAsked);
  } catch (error) {
    return endFailedStart(service, () => note(EVENT.START_FAILED, error));
  }
  if (!stopAsked.aborted) reporter.running();
  await untilFired(AbortSignal.any([stopAsked, ...(program.ended === undefined ? [] : [program.ended])]));
  const exitCode = stopAsked.aborted ? 0 : (program.exitCode?.() ?? 0);
  return stopProgram(program, { service, exitCode }, (error) => note(EVENT.STOP_FAILED, error));
}

/** A start that was instructed to stop has not failed. */
function endFailedStart({ reporter, stopAsked }: HostedService, note: () => void): number {
  const exitCode = stopAsked.aborted ? 0 : FAILED;
  if (exitCode !== 0) note();
  reporter.stopped(exitCode);
  return exitCode;
}

/**
 * An error on the way to an end that was asked for is noted, but reported as a clean end, because a failure would be
 * restarted. A program that came to a bad end by itself is to be.
 */
async function stopProgram(
  program: ServiceProgram,
  { service, exitCode }: { readonly service: HostedService; readonly exitCode: number },
  note: (error: unknown) => void,
): Promise<number> {
  try {
    await program.stop();
    return exitCode;
  } catch (error) {
    note(error);
    return FAILED;
  } finally {
    service.reporter.stopped(exitCode);
  }
}

const CRASHED = 70;
const UNHANDLED_ERROR = 1;

/**
 * Ends the process at the first error no one handled, without a word to the service manager: a process that ends
 * without reporting "stopped" is a failure, and only then the recovery policy comes in.
 */
function endOnUnhandledErrors(native: Native, note: Note): void {
  const end = (error: unknown) => {
    note(UNHANDLED_ERROR, error);
    // Not process.exit: that waits for the threads of libuv, of which one may hang permanently.
    native.kernel32.TerminateProcess(THIS_PROCESS, CRASHED);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}

const ENDED = 0;
const LOOK_EVERY_MS = 100;

/** Connects this process to the manager; resolves with what `serviceMain` returns when the manager calls it. */
function connectToManager<T>(native: Native, name: string, serviceMain: () => T): Promise<T> {
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
