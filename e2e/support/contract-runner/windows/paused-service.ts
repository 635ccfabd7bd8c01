import type { Native } from '@fenestra/platform-windows';

const OWN_PROCESS = 0x10;
const STATE = { STOPPED: 1, RUNNING: 4, PAUSED: 7 } as const;
const CONTROL = { STOP: 1, CONTINUE: 3 } as const;
/** Stop, pause and continue. */
const ACCEPTS = 0x3;
const SOON_MS = 500;
const LONG_MS = 60 * 60 * 1000;

/** Is a service that says it is paused, as wrappers do while the program they manage keeps crashing. */
export async function runPausedService({ hosting }: Native, name: string): Promise<void> {
  const stopped = Promise.withResolvers<void>();
  const main = (): void => {
    const handle = hosting.registerHandler(name, (control) => {
      if (control === CONTROL.CONTINUE) report(STATE.RUNNING);
      // The sender of the control waits for its answer, which a process that is gone cannot give.
      if (control === CONTROL.STOP) setTimeout(() => report(STATE.STOPPED), SOON_MS);
      return 0;
    });
    const report = (state: number): void => {
      if (handle === null) throw new Error('the manager gave no handle');
      const rest = { exitCode: 0, specificExitCode: 0, checkPoint: 0, waitHint: 0 };
      hosting.SetServiceStatus(handle, { type: OWN_PROCESS, state, accepts: ACCEPTS, ...rest });
      if (state === STATE.STOPPED) stopped.resolve();
    };
    // Wine takes no other first word for a start that went well.
    report(STATE.RUNNING);
    setTimeout(() => report(STATE.PAUSED), SOON_MS);
  };
  const alive = setInterval(() => undefined, LONG_MS);
  hosting.startDispatcher(name, main);
  await stopped.promise;
  clearInterval(alive);
  process.exit(0);
}
