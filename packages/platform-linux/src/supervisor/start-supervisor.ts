import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { cleanEnvironment } from './clean-environment.ts';
import type { ServiceFolder } from './service-folder.ts';
import { supervisorMark } from './supervisor-processes.ts';

/** A supervisor process that was just started, and may find that another has the service already. */
export interface StartedSupervisor {
  /** `undefined` if it could not be started. */
  readonly pid: number | undefined;
  readonly hasEnded: () => boolean;
  readonly cancel: () => void;
}

/** Starts a supervisor that lives on when this process ends. */
export function startSupervisor(command: readonly string[], folder: ServiceFolder): StartedSupervisor {
  const [executable = '', ...args] = command;
  const log = openSync(folder.log, 'a', 0o600);
  try {
    const options = { cwd: '/', detached: true, env: { ...cleanEnvironment(), ...supervisorMark(folder) } };
    const child = spawn(executable, [...args, folder.path], { ...options, stdio: ['ignore', log, log] });
    // That it has no pid tells the same.
    child.on('error', () => undefined);
    child.unref();
    return {
      pid: child.pid,
      hasEnded: () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null,
      // A child that never started has no number, and a signal to number 0 goes to everybody in our own group.
      cancel: () => void (child.pid !== undefined && child.kill('SIGTERM')),
    };
  } finally {
    closeSync(log);
  }
}
