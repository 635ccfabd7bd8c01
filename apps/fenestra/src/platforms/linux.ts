import { existsSync } from 'node:fs';
import {
  linuxHost,
  linuxPodHost,
  noContainerNetworks,
  posixAccessControl,
  posixFileStore,
  posixProgramHost,
  posixScripts,
  posixServiceHost,
  readWorkerFacts,
  superviseService,
  supervisedServices,
  systemdServices,
  unmanagedFirewall,
} from '@fenestra/platform-linux';
import type { NodeLayout, ServiceManager } from '@fenestra/platform';
import { ownCommand } from '../own-command.ts';
import type { Platform } from './platform.ts';
import { linuxLayout, linuxWorkerLayout, windowsLayout, windowsWorkerLayout } from './layouts.ts';

/** Linux with systemd, or with our own supervisor where there is none or the node is below its own folder. */
export async function openPlatform(root: string | undefined): Promise<Platform> {
  const layout = linuxLayout(root ?? '/');
  return {
    host: linuxHost(),
    files: posixFileStore(),
    access: posixAccessControl(),
    serviceHost: posixServiceHost(),
    programHost: posixProgramHost(),
    scripts: posixScripts(),
    pods: linuxPodHost(),
    firewall: unmanagedFirewall(),
    networks: noContainerNetworks(),
    workerFacts: readWorkerFacts,
    layout,
    workerLayout: linuxWorkerLayout(root ?? '/'),
    systemLog: undefined,
    setup: undefined,
    windows: { layout: windowsLayout('C:\\'), workerLayout: windowsWorkerLayout('C:') },
    services: root === undefined && existsSync('/run/systemd/system') ? systemdServices() : supervised(layout),
  };
}

/** Runs our own supervisor of one service. */
export async function runSupervisor(folder: string): Promise<number> {
  return superviseService(folder);
}

/** Tells a program that one of our services has started to end. */
export async function interrupt(pid: number): Promise<boolean> {
  return process.kill(pid, 'SIGINT');
}

function supervised({ supervisorFolder }: NodeLayout): ServiceManager {
  return supervisedServices({ stateFolder: supervisorFolder, supervisorCommand: [...ownCommand(), 'supervise'] });
}
