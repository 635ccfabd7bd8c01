import { type ServiceHost, type ServiceProgram, untilFired } from '@fenestra/platform';
import type { Native } from '../native.ts';
import { takeControls, type HostedService } from './controls.ts';
import { endOnUnhandledErrors } from './crash.ts';
import { connectToManager } from './dispatcher.ts';
import { eventNotes, type Note } from './service-events.ts';

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

/** A start that was told to stop has not failed. */
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
