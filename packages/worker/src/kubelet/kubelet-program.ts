import { readFile } from 'node:fs/promises';
import { kubeletCommandLine } from '../kubelet-flags/kubelet-command-line.ts';
import { parseFlagsEnv } from '../kubelet-flags/flags-env.ts';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import {
  type HostedProgram,
  type ProgramCommand,
  type WorkerHostFacts,
  type WorkerLayout,
  pathExists,
} from '@fenestra/platform';
import { programVersion } from '@fenestra/releases';
import { KUBELET_SERVICE } from './kubelet-service.ts';

const ASKING_MS = 30_000;

/** The machine a kubelet is started on. */
export interface KubeletHost {
  readonly layout: WorkerLayout;
  readonly os: WorkerHostFacts['os'];
}

/** The kubelet as the service runs it: whoever wrote `kubeadm-flags.env`, the next start heeds it. */
export function kubeletProgram({ layout, os }: KubeletHost): HostedProgram {
  return {
    name: KUBELET_SERVICE,
    logFile: layout.logFile,
    compose: async () => ((await pathExists(layout.kubeletConfig)) ? composeKubelet(layout, os) : undefined),
  };
}

async function composeKubelet(layout: WorkerLayout, os: KubeletHost['os']): Promise<ProgramCommand> {
  const flags = await readFlags(layout.flagsFile);
  // Asked each time, because anybody may have put another kubelet in its place.
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
