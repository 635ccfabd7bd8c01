import { readFile } from 'node:fs/promises';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import {
  type HostedProgram,
  pathExists,
  type ProgramCommand,
  type RecoveryPolicy,
  type ServiceSpec,
  type WorkerHostFacts,
  type WorkerLayout,
} from '@fenestra/platform';
import { programVersion } from '@fenestra/releases';
import { parseFlagsEnv } from '../kubelet-flags/flags-env.ts';
import { kubeletCommandLine } from '../kubelet-flags/kubelet-command-line.ts';

/** The name the kubelet has in every service manager, as kubeadm knows it. */
export const KUBELET_SERVICE = 'kubelet';

const RUNTIME_SERVICE = 'containerd';

/** A kubelet exits by itself until it has its certificate, so it is restarted soon and without an end. */
const RECOVERY: RecoveryPolicy = { restartDelaysSeconds: [5, 10, 30], resetAfterSeconds: 60 * 60 };

/** What the kubelet's service depends on. */
export interface KubeletServiceOptions {
  readonly layout: Pick<WorkerLayout, 'hostExecutable'>;
  readonly facts: WorkerHostFacts;
  /** The folder below which the worker lives, if not the whole machine. */
  readonly root: string | undefined;
}

/** The kubelet as a service: a copy of this program, which finds out at each start what to tell the kubelet. */
export function kubeletService({ layout, facts, root }: KubeletServiceOptions): ServiceSpec {
  return {
    name: KUBELET_SERVICE,
    displayName: 'Kubernetes kubelet (Fenestra)',
    description: 'Runs the pods that the cluster has given to this machine',
    executable: layout.hostExecutable,
    args: ['kubelet', ...(root === undefined ? [] : ['--root', root])],
    startType: 'automatic',
    dependencies: dependenciesOn(facts),
    recovery: RECOVERY,
    rights: 'all',
    writableFolders: [],
  };
}

/** A dependency that is not there would keep the service from starting. On Linux a runtime may go away and come back. */
function dependenciesOn(facts: WorkerHostFacts): readonly string[] {
  return facts.os === 'windows' && facts.containerdService !== 'absent' ? [RUNTIME_SERVICE] : [];
}

const ASKING_MS = 30_000;

/** The machine a kubelet is started on. */
export interface KubeletHost {
  readonly layout: WorkerLayout;
  readonly os: WorkerHostFacts['os'];
}

/** The kubelet as the service runs it: whatever wrote `kubeadm-flags.env`, the next start honours it. */
export function kubeletProgram({ layout, os }: KubeletHost): HostedProgram {
  return {
    name: KUBELET_SERVICE,
    logFile: layout.logFile,
    compose: async () => ((await pathExists(layout.kubeletConfig)) ? composeKubelet(layout, os) : undefined),
  };
}

async function composeKubelet(layout: WorkerLayout, os: KubeletHost['os']): Promise<ProgramCommand> {
  const flags = await readFlags(layout.flagsFile);
  // Asked each time, because anyone may have put another kubelet in its place.
  const version = await programVersion('kubelet', layout.kubelet, AbortSignal.timeout(ASKING_MS));
  return { executable: layout.kubelet, args: kubeletCommandLine({ layout, os, version, flags }) };
}

/** A file that is not there says nothing; one that is not understood may say what matters, so nothing is started. */
async function readFlags(path: string): Promise<readonly string[]> {
  try {
    return parseFlagsEnv(await readFile(path, 'utf8'));
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return [];
    throw cause instanceof OperatorError ? inFile(path, cause) : fileError(cause, `read "${path}"`);
  }
}

function inFile(path: string, { code, message, hint, details, cause }: OperatorError): OperatorError {
  return new OperatorError(code, `${message} ("${path}")`, { hint, details, cause });
}
