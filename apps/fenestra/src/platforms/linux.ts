import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  linuxHost,
  posixAccessControl,
  posixFileStore,
  posixServiceHost,
  superviseService,
  supervisedServices,
  systemdServices,
} from '@fenestra/platform-linux';
import type { NodeLayout, ServiceManager } from '@fenestra/platform';
import { ownCommand } from '../own-command.ts';
import type { Platform } from './platform.ts';

/** Linux with systemd, or with our own supervisor where there is none or the node lives below a folder of its own. */
export async function openPlatform(root: string | undefined): Promise<Platform> {
  const layout = linuxLayout(root ?? '/');
  return {
    host: linuxHost(),
    files: posixFileStore(),
    access: posixAccessControl(),
    serviceHost: posixServiceHost(),
    layout,
    systemLog: undefined,
    services: root === undefined && existsSync('/run/systemd/system') ? systemdServices() : supervised(layout),
  };
}

/** Runs our own supervisor of one service. */
export async function runSupervisor(folder: string): Promise<number> {
  return superviseService(folder);
}

function supervised({ supervisorFolder }: NodeLayout): ServiceManager {
  return supervisedServices({ stateFolder: supervisorFolder, supervisorCommand: [...ownCommand(), 'supervise'] });
}

function linuxLayout(root: string): NodeLayout {
  const bookkeepingFolder = join(root, 'var/lib/fenestra');
  const programFolder = join(root, 'usr/local/bin');
  return {
    configFolder: join(root, 'etc/kubeedge'),
    stateFolder: join(root, 'var/lib/kubeedge'),
    programFolder,
    agentExecutable: join(programFolder, 'edgecore'),
    cloudExecutable: join(programFolder, 'cloudcore'),
    cloudFolder: join(root, 'var/lib/kubeedge/cloud'),
    bookkeepingFolder,
    journalFolder: join(bookkeepingFolder, 'journal'),
    lockFolder: join(bookkeepingFolder, 'lock'),
    supervisorFolder: join(bookkeepingFolder, 'supervisor'),
  };
}
