import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  linuxHost,
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
import type { NodeLayout, ServiceManager, WorkerLayout } from '@fenestra/platform';
import { ownCommand } from '../own-command.ts';
import type { Platform } from './platform.ts';
import { windowsLayout, windowsWorkerLayout } from './windows-layouts.ts';

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

function linuxLayout(root: string): NodeLayout {
  const bookkeepingFolder = join(root, 'var/lib/fenestra');
  const programFolder = join(root, 'usr/local/bin');
  return {
    configFolder: join(root, 'etc/kubeedge'),
    agentConfigFile: join(root, 'etc/kubeedge/config/edgecore.yaml'),
    tokenFile: join(root, 'etc/kubeedge/bootstrap-edgecore.conf'),
    versionFile: join(root, 'etc/kubeedge/version.txt'),
    backupsFolder: join(root, 'etc/kubeedge/backups'),
    stateFolder: join(root, 'var/lib/kubeedge'),
    agentLogFile: join(root, 'var/lib/kubeedge/log/edgecore.log'),
    programFolder,
    agentExecutable: join(programFolder, 'edgecore'),
    cloudExecutable: join(programFolder, 'cloudcore'),
    cloudFolder: join(root, 'var/lib/kubeedge/cloud'),
    bookkeepingFolder,
    journalFolder: join(bookkeepingFolder, 'journal'),
    downloadsFolder: join(bookkeepingFolder, 'downloads'),
    guardExecutable: join(bookkeepingFolder, 'guard', 'keadm'),
    lockFolder: join(bookkeepingFolder, 'lock'),
    supervisorFolder: join(bookkeepingFolder, 'supervisor'),
  };
}

/** Where kubeadm and its packages put things on Linux, and what is ours below our own folder. */
export function linuxWorkerLayout(root: string): WorkerLayout {
  const programFolder = join(root, 'usr/local/bin');
  const configFolder = join(root, 'etc/kubernetes');
  const kubeletFolder = join(root, 'var/lib/kubelet');
  const ownFolder = join(root, 'var/lib/fenestra/worker');
  return {
    programFolder,
    kubelet: join(programFolder, 'kubelet'),
    kubeProxy: join(programFolder, 'kube-proxy'),
    kubeadm: join(programFolder, 'kubeadm'),
    hostExecutable: join(ownFolder, 'keadm'),
    configFolder,
    pkiFolder: join(configFolder, 'pki'),
    caFile: join(configFolder, 'pki/ca.crt'),
    manifestsFolder: join(configFolder, 'manifests'),
    kubeconfig: join(configFolder, 'kubelet.conf'),
    bootstrapKubeconfig: join(configFolder, 'bootstrap-kubelet.conf'),
    kubeletFolder,
    kubeletConfig: join(kubeletFolder, 'config.yaml'),
    instanceConfig: join(kubeletFolder, 'instance-config.yaml'),
    flagsFile: join(kubeletFolder, 'kubeadm-flags.env'),
    certificatesFolder: join(kubeletFolder, 'pki'),
    logFile: join(root, 'var/log/kubelet/kubelet.log'),
    cniConfigFolder: join(root, 'etc/cni/net.d'),
    cniProgramFolder: join(root, 'opt/cni/bin'),
    recordFile: join(ownFolder, 'worker.json'),
    backupsFolder: join(ownFolder, 'backups'),
  };
}
