import type { RuntimeEndpoint } from '@fenestra/platform';
import type { Native } from '../native.ts';
import { WIN32 } from '../win32-error.ts';

const AT_ONCE_MS = 1;
const PIPES: readonly { readonly runtime: RuntimeEndpoint['runtime']; readonly pipe: string }[] = [
  { runtime: 'containerd', pipe: 'containerd-containerd' },
  { runtime: 'cri-dockerd', pipe: 'cri-dockerd' },
  { runtime: 'cri-dockerd', pipe: 'dockershim' },
  { runtime: 'docker', pipe: 'docker_engine' },
];

/** The container runtimes whose pipes are there. */
export function findRuntimes(native: Native): RuntimeEndpoint[] {
  return PIPES.filter(({ pipe }) => pipeExists(native, pipe)).map(({ runtime, pipe }) => ({
    runtime,
    endpoint: `npipe:////./pipe/${pipe}`,
  }));
}

/** Waiting for a pipe tells whether it is there, even a busy one, without connecting to it. */
function pipeExists(native: Native, pipe: string): boolean {
  if (native.kernel32.WaitNamedPipeW(`\\\\.\\pipe\\${pipe}`, AT_ONCE_MS) !== 0) return true;
  return native.kernel32.GetLastError() !== WIN32.FILE_NOT_FOUND;
}
