import type { InstallOutcome, ServiceControl, ServiceManager, ServiceSpec, ServiceStatus } from '@fenestra/platform';
import type { Pointer, Native } from '../native.ts';
import { eventLog } from '../registry/event-log.ts';
import { mustBeZero } from '../win32-error.ts';
import { parseCommandLine, serviceCommand } from './command-line.ts';
import { CONTROL, sendControl, SERVICE_ACCESS, withExistingService, withService } from './scm.ts';
import { forgetService, removeService } from './remove.ts';
import { installService } from './install.ts';
import { readRecovery } from './recovery.ts';
import { readRights } from './service-rights.ts';
import { readSettings, readStartType } from './service-settings.ts';
import { queryStatus, toStatus } from './service-status.ts';
import { startService } from './start.ts';
import { stopService } from './stop.ts';

const READ = SERVICE_ACCESS.QUERY_CONFIG | SERVICE_ACCESS.QUERY_STATUS;
const CONTROLS: Readonly<Record<ServiceControl, number>> = { reload: CONTROL.RELOAD };

/** The Service Control Manager itself: no sc.exe output to parse, no wrapper process. */
export function scmServices(native: Native): ServiceManager {
  const read = <T>(name: string, use: (service: Pointer) => T) => withService(native, name, READ, use);
  const start = (name: string, signal: AbortSignal) => startService(native, name, serviceCommand('logs', name), signal);
  return {
    install: async (spec) => install(native, spec),
    status: async (name) => read(name, (service) => statusOf(native, name, service)) ?? { state: 'absent' },
    read: async (name) => read(name, (service) => specOf(native, name, service)),
    recovery: async (name) => read(name, (service) => readRecovery(native, service)),
    start,
    stop: (name, signal) => stopService(native, name, signal),
    async restart(name, signal) {
      await stopService(native, name, signal);
      await start(name, signal);
    },
    control: async (name, control) => sendToRunning(native, name, control),
    async remove(name, signal) {
      await removeService(native, name, signal);
      // Also when the service is gone already: an earlier removal may have been cut off before it came to this.
      eventLog(native, name).remove();
    },
    async forget(name) {
      forgetService(native, name);
      eventLog(native, name).remove();
    },
    // The manager keeps nothing of what a service writes, and ours have logs of their own.
    lastLines: async () => [],
    commandLine: serviceCommand,
  };
}

/** A service speaks in the event log under its own name, which is where the hint for its logs leads. */
function install(native: Native, spec: ServiceSpec): InstallOutcome {
  const outcome = installService(native, spec);
  if (outcome === 'created') eventLog(native, spec.name).register();
  return outcome;
}

function statusOf(native: Native, name: string, service: Pointer): ServiceStatus {
  return { ...toStatus(queryStatus(native, service)), startType: readStartType(native, name, service) };
}

/** The system keeps no list of writable folders, and a recovery policy it cannot give back reads as "none". */
function specOf(native: Native, name: string, service: Pointer): ServiceSpec {
  const { displayName, description, commandLine, startType, dependencies } = readSettings(native, name, service);
  const recovery = readRecovery(native, service) ?? { restartDelaysSeconds: [], resetAfterSeconds: 0 };
  const program = parseCommandLine(commandLine);
  const rights = readRights(native, name);
  return {
    name,
    displayName,
    description,
    ...program,
    startType,
    dependencies,
    recovery,
    ...rights,
    writableFolders: [],
  };
}

function sendToRunning(native: Native, name: string, control: ServiceControl): void {
  const action = `send "${control}" to service "${name}"`;
  withExistingService(native, { name, access: SERVICE_ACCESS.USER_CONTROL, action }, (service) => {
    mustBeZero(sendControl(native, service, CONTROLS[control]), action);
  });
}
