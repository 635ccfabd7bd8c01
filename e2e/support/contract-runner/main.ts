/**
 * The program the beds run on their nodes, bundled into one file, by a plain Node.js of the node's system:
 *   contract ADAPTER FOLDER KOFFI SUITE …                  runs these contract suites (or all); one JSON line per case
 *   serve ADAPTER KOFFI SERVICE NOTES BEHAVIOUR [MORE …]   hosts the noting program as this service
 *   pause KOFFI SERVICE                                    is this service, paused until it is instructed to go on
 *   manage ADAPTER KOFFI FOLDER ACTION SPEC                does one thing to a service; answers with one JSON line
 *   supervise FOLDER                                       manages one service, where there is no systemd
 * ADAPTER is scm, systemd or supervisor. KOFFI is the path of the FFI addon, `-` on Linux.
 */
import { mkdirSync } from 'node:fs';
import { notingProgram, type ServiceBed } from '@fenestra/platform/contract';
import type { ServiceHost, ServiceManager } from '@fenestra/platform';
import { posixServiceHost, supervisedServices, superviseService, systemdServices } from '@fenestra/platform-linux';
import { openNative, scmServices, windowsServiceHost } from '@fenestra/platform-windows';
import { isBehaviour } from './behaviour.ts';
import { supervisorSuites, systemdSuites } from './linux-suites.ts';
import { loadKoffi } from './load-koffi.ts';
import { manageService } from './manage-service.ts';
import { runSuites } from './run-suites.ts';
import type { Suite } from './suite.ts';
import { runPausedService } from './windows/paused-service.ts';
import { windowsSuites } from './windows-suites.ts';

const MODES: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  contract,
  serve,
  pause,
  manage,
  supervise,
};

void main(process.argv.slice(2));

async function main([mode = '', ...args]: readonly string[]): Promise<void> {
  const act = MODES[mode];
  if (act === undefined) throw new Error(`unknown mode "${mode}"`);
  await act(args);
}

async function contract([adapter = '', folder = '', koffi = '-', ...names]: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const suites = suitesOf(adapter, folder, koffi);
  await runSuites(names.length === 0 ? suites : suites.filter(({ name }) => names.includes(name)));
  // A case that failed half-way may have left something open that would keep this process up.
  process.exit(0);
}

async function serve([
  adapter = '',
  koffi = '-',
  service = '',
  notes = '',
  behaviour = '',
  ...more
]: readonly string[]): Promise<void> {
  if (!isBehaviour(behaviour)) throw new Error(`unknown behaviour "${behaviour}"`);
  const host: ServiceHost = adapter === 'scm' ? windowsServiceHost(openNative(loadKoffi(koffi))) : posixServiceHost();
  process.exit(await host.run(service, notingProgram(notes, behaviour, more)));
}

async function pause([koffi = '', service = '']: readonly string[]): Promise<void> {
  await runPausedService(openNative(loadKoffi(koffi)), service);
}

async function manage([
  adapter = '',
  koffi = '-',
  folder = '',
  action = '',
  spec = '',
]: readonly string[]): Promise<void> {
  const services = servicesOf(adapter, koffi, folder);
  process.stdout.write(`${JSON.stringify(await manageService(services, action, JSON.parse(spec)))}\n`);
}

function servicesOf(adapter: string, koffi: string, stateFolder: string): ServiceManager {
  if (adapter === 'scm') return scmServices(openNative(loadKoffi(koffi)));
  const supervisorCommand = [process.execPath, __filename, 'supervise'];
  return adapter === 'systemd' ? systemdServices() : supervisedServices({ stateFolder, supervisorCommand });
}

async function supervise([folder = '']: readonly string[]): Promise<void> {
  process.exit(await superviseService(folder));
}

function suitesOf(adapter: string, folder: string, koffi: string): readonly Suite[] {
  const program: ServiceBed['program'] = (service, noteFile, behaviour) => ({
    executable: process.execPath,
    args: [__filename, 'serve', adapter, koffi, service, noteFile, behaviour],
  });
  const pausedProgram = (service: string): ReturnType<ServiceBed['program']> => ({
    executable: process.execPath,
    args: [__filename, 'pause', koffi, service],
  });
  switch (adapter) {
    case 'scm':
      return windowsSuites(loadKoffi(koffi), { folder, program, pausedProgram });
    case 'systemd':
      return systemdSuites(folder, program);
    case 'supervisor':
      return supervisorSuites(folder, program, [process.execPath, __filename, 'supervise']);
    default:
      throw new Error(`unknown adapter "${adapter}"`);
  }
}
