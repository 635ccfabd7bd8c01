import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  accessControlContract,
  fileStoreContract,
  hostContract,
  scriptsContract,
  type ServiceBed,
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
  windowsScripts,
} from '@fenestra/platform-windows';
import { writeBatchScript } from './script-files.ts';
import type { Suite } from './suite.ts';
import type { WindowsBed } from './windows/windows-bed.ts';
import { windowsCases } from './windows/windows-cases.ts';

const NOT_STORED = 'Wine accepts failure actions and forgets them: it neither gives them back nor restarts anything';
const MODE_BITS = 'Wine keeps no access list: it makes one up from the Unix mode bits of the file';

/** The suites on Windows, as far as Wine can show them. */
export function windowsSuites(koffi: Koffi, bed: Omit<WindowsBed, 'koffi' | 'native'>): readonly Suite[] {
  const { folder, program } = bed;
  const native = openNative(koffi);
  const run = process.execPath;
  return [
    {
      name: 'service-manager',
      cases: serviceManagerContract({ services: scmServices(native), folder, program, ...SCM }),
    },
    {
      name: 'file-store',
      cases: fileStoreContract({
        files: windowsFileStore(native),
        folder,
        longRunning: { executable: run, args: ['-e', 'setTimeout(() => {}, 60_000)'] },
        cannotShow: {
          modes: 'Windows has no POSIX permission bits',
          links: 'Wine cannot create symbolic links or junctions',
        },
      }),
    },
    {
      name: 'access-control',
      cases: accessControlContract({
        access: windowsAccessControl(native),
        folder,
        cannotShow: {
          'rights-read-back': MODE_BITS,
          'others-kept-out': 'Under Wine every program runs as the same Unix account',
        },
      }),
    },
    {
      name: 'host',
      cases: hostContract({
        host: windowsHost(native),
        folder,
        shortRunning: { executable: run, args: ['-e', '0'] },
        cannotShow: { 'boot-identity': 'Wine has no System process, by whose start our adapter tells boots apart' },
      }),
    },
    {
      name: 'worker-host',
      cases: workerHostContract({
        facts: async () => readWorkerFacts(native),
        firewall: windowsFirewall(native),
        networks: windowsContainerNetworks(native),
        cannotShow: { 'rule-read-back': 'Wine has no firewall: its netsh does nothing and says that it has succeeded' },
      }),
    },
    {
      name: 'scripts',
      cases: scriptsContract({ scripts: windowsScripts(native), folder, writeScript: writeBatchScript }),
    },
    { name: 'windows', cases: windowsCases({ koffi, native, ...bed }) },
  ];
}

const SCM: Pick<ServiceBed, 'restartDelaySeconds' | 'deleteWhileRunning' | 'cannotShow'> = {
  restartDelaySeconds: 1,
  async deleteWhileRunning(service) {
    await promisify(execFile)('sc.exe', ['delete', service]);
  },
  cannotShow: {
    'recovery-read-back': NOT_STORED,
    'recovery-restart': NOT_STORED,
    dependencies: 'Wine stores dependencies but does not start them first',
    'output-kept': 'The Service Control Manager keeps nothing of what a service writes',
    'writable-folders': 'Windows does not limit the folders a service writes to',
  },
};
