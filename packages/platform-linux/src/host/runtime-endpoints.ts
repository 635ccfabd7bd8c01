import { stat } from 'node:fs/promises';
import type { RuntimeEndpoint } from '@fenestra/platform';

const SOCKETS: readonly (readonly [RuntimeEndpoint['runtime'], path: string])[] = [
  ['containerd', '/run/containerd/containerd.sock'],
  ['cri-o', '/run/crio/crio.sock'],
  ['docker', '/var/run/docker.sock'],
  ['cri-dockerd', '/run/cri-dockerd.sock'],
];

/** The container runtimes whose sockets are in their usual places. */
export async function findRuntimeEndpoints(): Promise<readonly RuntimeEndpoint[]> {
  const found = await Promise.all(SOCKETS.map(([, path]) => isSocket(path)));
  const present = SOCKETS.filter((_, index) => found[index] === true);
  return present.map(([runtime, path]) => ({ runtime, endpoint: `unix://${path}` }));
}

async function isSocket(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isSocket();
  } catch {
    // Whatever keeps us from seeing it keeps us from using it.
    return false;
  }
}
