import { win32 } from 'node:path';
import {
  eventLog,
  openNative,
  readWorkerFacts,
  scmServices,
  systemDrive,
  windowsAccessControl,
  windowsContainerNetworks,
  windowsFileStore,
  windowsFirewall,
  windowsHost,
  windowsProgramHost,
  windowsScripts,
  windowsServiceHost,
} from '@fenestra/platform-windows';
import { OperatorError } from '@fenestra/kernel';
import { AGENT_SERVICE } from '@fenestra/lifecycle';
import type { NodeLayout } from '@fenestra/platform';
import { loadKoffi } from '../assets/load-koffi.ts';
import type { Platform } from './platform.ts';
import { windowsWorkerLayout } from './windows-worker-layout.ts';

/** The number of an agent's error in the event log; the service host has those below. */
const ERROR_EVENT = 100;

/** Windows, by its own DLLs. */
export async function openPlatform(root: string | undefined): Promise<Platform> {
  if (root !== undefined) throw notBelowAFolder();
  const native = openNative(await loadKoffi(process.env));
  return {
    host: windowsHost(native),
    files: windowsFileStore(native),
    access: windowsAccessControl(native),
    serviceHost: windowsServiceHost(native),
    programHost: windowsProgramHost(native),
    scripts: windowsScripts(native),
    firewall: windowsFirewall(native),
    networks: windowsContainerNetworks(native),
    workerFacts: async () => readWorkerFacts(native),
    layout: windowsLayout('C:\\'),
    workerLayout: windowsWorkerLayout(systemDrive(native)),
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

function notBelowAFolder(): OperatorError {
  return new OperatorError('NOT_SUPPORTED', 'Cannot keep a node below a folder of its own on Windows', {
    hint: 'Leave "--root" out: services belong to the whole machine.',
  });
}

function windowsLayout(root: string): NodeLayout {
  const configFolder = win32.join(root, 'etc', 'kubeedge');
  const programFolder = win32.join(configFolder, 'bin');
  const stateFolder = win32.join(root, 'var', 'lib', 'kubeedge');
  const bookkeepingFolder = win32.join(root, 'var', 'lib', 'fenestra');
  return {
    configFolder,
    agentConfigFile: win32.join(configFolder, 'config', 'edgecore.yaml'),
    tokenFile: win32.join(configFolder, 'bootstrap-edgecore.conf'),
    versionFile: win32.join(configFolder, 'version.txt'),
    backupsFolder: win32.join(configFolder, 'backups'),
    stateFolder,
    agentLogFile: win32.join(stateFolder, 'log', 'edgecore.log'),
    programFolder,
    agentExecutable: win32.join(programFolder, 'edgecore.exe'),
    cloudExecutable: win32.join(programFolder, 'cloudcore.exe'),
    cloudFolder: win32.join(stateFolder, 'cloud'),
    bookkeepingFolder,
    journalFolder: win32.join(bookkeepingFolder, 'journal'),
    downloadsFolder: win32.join(bookkeepingFolder, 'downloads'),
    guardExecutable: win32.join(bookkeepingFolder, 'guard', 'keadm.exe'),
    lockFolder: win32.join(bookkeepingFolder, 'lock'),
    supervisorFolder: win32.join(bookkeepingFolder, 'supervisor'),
  };
}
