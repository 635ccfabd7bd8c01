import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  accessControlContract,
  fileStoreContract,
  hostContract,
  podHostContract,
  scriptsContract,
  type ServiceBed,
  serviceManagerContract,
  workerHostContract,
} from '@fenestra/platform/contract';
import {
  linuxHost,
  linuxPodHost,
  noContainerNetworks,
  posixAccessControl,
  posixFileStore,
  posixScripts,
  readWorkerFacts,
  supervisedServices,
  systemdServices,
  unmanagedFirewall,
} from '@fenestra/platform-linux';
import { writeShellScript } from './script-files.ts';
import type { Suite } from './suite.ts';
import { systemdCases } from './systemd-cases.ts';
import { systemdHardeningCases } from './systemd-hardening-cases.ts';

const UNIT_FOLDER = '/etc/systemd/system';

/** The suites on a Linux machine with systemd. */
export function systemdSuites(folder: string, program: ServiceBed['program']): readonly Suite[] {
  const services = systemdServices({ unitFolder: UNIT_FOLDER });
  const cannotShow = { 'recovery-read-back': 'systemd tells only the first wait; the others are in ExecStartPre=' };
  const service: ServiceBed = { services, folder, program, restartDelaySeconds: 1, deleteWhileRunning, cannotShow };
  return [
    {
      name: 'service-manager',
      cases: [
        ...serviceManagerContract(service),
        ...systemdCases(services, UNIT_FOLDER),
        ...systemdHardeningCases(services, folder),
      ],
    },
    {
      name: 'file-store',
      cases: fileStoreContract({ files: posixFileStore(), folder, longRunning: LONG, cannotShow: {} }),
    },
    {
      name: 'access-control',
      cases: accessControlContract({ access: posixAccessControl(), folder, readableByOthers, cannotShow: {} }),
    },
    hostSuite(folder),
    {
      name: 'pod-host',
      cases: podHostContract({ host: linuxPodHost(), folder, cannotShow: canMakeCgroups() ? {} : NO_CGROUPS }),
    },
    WORKER_HOST,
    {
      name: 'scripts',
      cases: scriptsContract({ scripts: posixScripts(), folder, writeScript: writeShellScript }),
    },
  ];
}

/** The suites on a Linux machine without systemd. `supervisorCommand` starts this program as a supervisor. */
export function supervisorSuites(
  folder: string,
  program: ServiceBed['program'],
  supervisorCommand: readonly string[],
): readonly Suite[] {
  const services = supervisedServices({ stateFolder: join(folder, 'state'), supervisorCommand });
  const cannotShow = { 'deleted-while-running': 'The supervisor has no registry that a service could be deleted from' };
  return [
    {
      name: 'service-manager',
      cases: serviceManagerContract({ services, folder, program, restartDelaySeconds: 1, cannotShow }),
    },
    hostSuite(folder),
  ];
}

const WORKER_HOST: Suite = {
  name: 'worker-host',
  cases: workerHostContract({
    facts: readWorkerFacts,
    firewall: unmanagedFirewall(),
    networks: noContainerNetworks(),
    cannotShow: { 'rule-read-back': 'On Linux no firewall is ours to tell' },
  }),
};

const NO_CGROUPS = { cgroups: 'The control groups of this machine are read-only' };

function canMakeCgroups(): boolean {
  const unified = '/sys/fs/cgroup/cgroup.subtree_control';
  try {
    accessSync(existsSync(unified) ? unified : '/sys/fs/cgroup/memory', constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const LONG = { executable: '/bin/sleep', args: ['60'] };

function hostSuite(folder: string): Suite {
  const shortRunning = { executable: '/bin/true', args: [] };
  return { name: 'host', cases: hostContract({ host: linuxHost(), folder, shortRunning, cannotShow: {} }) };
}

// What a careless administrator does: the file is gone while systemd still runs the unit.
async function deleteWhileRunning(service: string): Promise<void> {
  await rm(join(UNIT_FOLDER, `${service}.service`));
  await promisify(execFile)('systemctl', ['daemon-reload']);
}

async function readableByOthers(path: string): Promise<boolean> {
  const asNobody = ['--reuid=65534', '--regid=65534', '--clear-groups', 'cat', path];
  return promisify(execFile)('setpriv', asNobody).then(
    () => true,
    () => false,
  );
}
