import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  accessControlContract,
  fileStoreContract,
  hostContract,
  podHostContract,
  scriptsContract,
  serviceManagerContract,
  workerHostContract,
} from '@fenestra/platform/contract';
import {
  type Koffi,
  openNative,
  readWorkerFacts,
  scmServices,
  windowsAccessControl,
  windowsContainerNetworks,
  windowsFileStore,
  windowsFirewall,
  windowsHost,
  windowsPodHost,
  windowsScripts,
} from '@fenestra/platform-windows';
import { writeBatchScript } from './script-files.ts';
import type { Suite } from './suite.ts';
import { isWine } from './windows/is-wine.ts';
import { NOTHING, WINE_CANNOT_SHOW } from './windows/wine-cannot-show.ts';
import type { WindowsBed } from './windows/windows-bed.ts';
import { windowsCases } from './windows/windows-cases.ts';

/** The suites on Windows; on Wine, as far as that can show them. */
export function windowsSuites(koffi: Koffi, bed: Omit<WindowsBed, 'koffi' | 'native'>): readonly Suite[] {
  const { folder, program } = bed;
  const native = openNative(koffi);
  const run = process.execPath;
  const cannotShow = isWine(koffi) ? WINE_CANNOT_SHOW : NOTHING;
  return [
    {
      name: 'service-manager',
      cases: serviceManagerContract({
        services: scmServices(native),
        folder,
        program,
        restartDelaySeconds: 1,
        deleteWhileRunning,
        cannotShow: {
          ...cannotShow.services,
          'output-kept': 'The Service Control Manager keeps nothing of what a service writes',
          'writable-folders': 'Windows does not limit the folders a service writes to',
        },
      }),
    },
    {
      name: 'file-store',
      cases: fileStoreContract({
        files: windowsFileStore(native),
        folder,
        longRunning: { executable: run, args: ['-e', 'setTimeout(() => {}, 60_000)'] },
        cannotShow: { ...cannotShow.files, modes: 'Windows has no POSIX permission bits' },
      }),
    },
    {
      name: 'access-control',
      cases: accessControlContract({
        access: windowsAccessControl(native),
        folder,
        cannotShow: { ...cannotShow.access, 'others-kept-out': 'There is no other account here to try with' },
      }),
    },
    {
      name: 'host',
      cases: hostContract({
        host: windowsHost(native),
        folder,
        shortRunning: { executable: run, args: ['-e', '0'] },
        cannotShow: cannotShow.host,
      }),
    },
    {
      name: 'pod-host',
      cases: podHostContract({
        host: windowsPodHost(native),
        folder,
        cannotShow: {
          ...cannotShow.pods,
          memory: 'Windows has no file systems in memory',
          holding: 'Windows cannot mount what is held open',
          owners: 'Windows has no numbers of users and groups',
        },
      }),
    },
    {
      name: 'worker-host',
      cases: workerHostContract({
        facts: async () => readWorkerFacts(native),
        firewall: windowsFirewall(native),
        networks: windowsContainerNetworks(native),
        cannotShow: cannotShow.worker,
      }),
    },
    {
      name: 'scripts',
      cases: scriptsContract({ scripts: windowsScripts(native), folder, writeScript: writeBatchScript }),
    },
    { name: 'windows', cases: windowsCases({ koffi, native, ...bed }) },
  ];
}

async function deleteWhileRunning(service: string): Promise<void> {
  await promisify(execFile)('sc.exe', ['delete', service]);
}
