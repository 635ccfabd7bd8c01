import {
  eventLog,
  interruptProgram,
  openNative,
  readWorkerFacts,
  scmServices,
  systemDrive,
  windowsAccessControl,
  windowsContainerNetworks,
  windowsFileStore,
  windowsFirewall,
  windowsHost,
  windowsPodHost,
  windowsProgramHost,
  windowsScripts,
  windowsServiceHost,
  windowsSystemSetup,
} from '@fenestra/platform-windows';
import { OperatorError } from '@fenestra/kernel';
import { AGENT_SERVICE } from '@fenestra/lifecycle';
import { loadKoffi } from '../assets/load-koffi.ts';
import { ownCommand } from '../own-command.ts';
import type { Platform } from './platform.ts';
import { windowsLayout, windowsWorkerLayout } from './layouts.ts';

/** The number of an agent's error in the event log; the service host has those below. */
const ERROR_EVENT = 100;

/** Windows, by its own DLLs. */
export async function openPlatform(root: string | undefined): Promise<Platform> {
  if (root !== undefined) throw notBelowAFolder();
  const native = openNative(await loadKoffi(process.env));
  const windows = { layout: windowsLayout('C:\\'), workerLayout: windowsWorkerLayout(systemDrive(native)) };
  return {
    host: windowsHost(native),
    files: windowsFileStore(native),
    access: windowsAccessControl(native),
    serviceHost: windowsServiceHost(native),
    programHost: windowsProgramHost(native, [...ownCommand(), 'kubelet', '--interrupt']),
    scripts: windowsScripts(native),
    pods: windowsPodHost(native),
    firewall: windowsFirewall(native),
    networks: windowsContainerNetworks(native),
    workerFacts: async () => readWorkerFacts(native),
    ...windows,
    windows,
    setup: windowsSystemSetup(native),
    services: scmServices(native),
    systemLog: { error: (text) => eventLog(native, AGENT_SERVICE).write('error', ERROR_EVENT, text) },
  };
}

/** Windows always has a service manager, so there is nothing to supervise. */
export async function runSupervisor(): Promise<number> {
  throw new OperatorError('NOT_SUPPORTED', 'Cannot supervise a service on Windows', {
    hint: 'Use the Service Control Manager, by "keadm service".',
  });
}

/** Tells a program that one of our services has started to end. */
export async function interrupt(pid: number): Promise<boolean> {
  return interruptProgram(openNative(await loadKoffi(process.env)), pid);
}

function notBelowAFolder(): OperatorError {
  return new OperatorError('NOT_SUPPORTED', 'Cannot use "--root" on Windows', {
    hint: 'Leave "--root" out: services belong to the whole machine.',
  });
}
