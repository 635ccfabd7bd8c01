import { writeSync } from 'node:fs';
import { inspect } from 'node:util';
import { OperatorError } from '@fenestra/kernel';
import { type ServiceHost, type ServiceProgram, untilFired } from '@fenestra/platform';
import { terminalText } from '@fenestra/platform/terminal-text';
import { announceReadiness, READINESS_VARIABLE } from './readiness.ts';

const A_DAY_MS = 24 * 60 * 60 * 1000;
const STANDARD_ERROR = 2;

/** Hosts a program under systemd or our supervisor: SIGTERM and SIGINT stop it, SIGHUP reloads it. */
export function posixServiceHost(): ServiceHost {
  return {
    async run(name, program) {
      const readinessFile = process.env[READINESS_VARIABLE];
      // Not for what the program starts: it would be taken for the program itself, and ended with it.
      delete process.env[READINESS_VARIABLE];
      const orders = receiveOrders(name, program);
      try {
        await announceReadiness(readinessFile, 'starting');
        await program.start(orders.stop);
        await announceReadiness(readinessFile, 'ready');
        orders.beginReloading();
        await untilFired(AbortSignal.any([orders.stop, ...(program.ended === undefined ? [] : [program.ended])]));
        await program.stop();
        return orders.stop.aborted ? 0 : (program.exitCode?.() ?? 0);
      } catch (error) {
        return endedBy(name, error, orders.stop);
      } finally {
        orders.close();
      }
    },
  };
}

interface Orders {
  readonly stop: AbortSignal;
  /** Lets reloads through, also those that came while the program was starting. */
  beginReloading(): void;
  close(): void;
}

function receiveOrders(name: string, program: ServiceProgram): Orders {
  const stop = new AbortController();
  const ready = Promise.withResolvers<void>();
  let reloading = ready.promise;
  const listeners = {
    SIGTERM: () => stop.abort(),
    SIGINT: () => stop.abort(),
    SIGHUP: () => void (reloading = reloading.then(() => reload(name, program))),
    uncaughtException: (error: unknown) => crash(name, error),
  };
  for (const [event, listener] of Object.entries(listeners)) process.on(event, listener);
  // Listening for signals alone does not keep a process up.
  const keepAlive = setInterval(() => undefined, A_DAY_MS);
  return {
    stop: stop.signal,
    beginReloading: ready.resolve,
    close() {
      clearInterval(keepAlive);
      for (const [event, listener] of Object.entries(listeners)) process.off(event, listener);
    },
  };
}

/** A configuration that cannot be taken up is not a reason to stop serving with the old one. */
async function reload(name: string, program: ServiceProgram): Promise<void> {
  try {
    await program.reload();
  } catch (error) {
    log(`${name}: cannot reload: ${textOf(error)}`);
  }
}

/** A start that was broken off because of a stop has ended as requested. */
function endedBy(name: string, error: unknown, stop: AbortSignal): number {
  if (stop.aborted && error === stop.reason) return 0;
  log(`${name}: ${textOf(error)}`);
  return 1;
}

/** An expected failure has its own message; of anything else, all that is known. */
function textOf(error: unknown): string {
  if (!(error instanceof OperatorError)) return inspect(error);
  const { message, hint, cause } = error;
  const why = cause instanceof Error && !message.includes(cause.message) ? `: ${cause.message}` : '';
  return `${message}${why}. ${hint}`;
}

/** Ends the process at once, so that the service manager's recovery can begin. */
function crash(name: string, error: unknown): void {
  log(`${name}: exited with an unhandled error: ${inspect(error)}`);
  // Not process.exit: that waits for workers of V8, of which one may wait for us.
  process.kill(process.pid, 'SIGKILL');
}

function log(line: string): void {
  try {
    writeSync(STANDARD_ERROR, terminalText(`${line}\n`));
  } catch {
    // The reader of our log is gone; there is no one left to inform.
  }
}
