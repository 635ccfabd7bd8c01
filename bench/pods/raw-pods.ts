import { join } from 'node:path';
import type { ContainerRuntime } from '@fenestra/cri';
import { POD_IMAGE } from '../../e2e/support/beds/test-images.ts';
import type { StartTimes } from './start-times.ts';

/** It waits for SIGTERM and uses no processor. */
export const SCRIPT = 'trap "exit 0" TERM; sleep 36000 & wait';

const LABEL = { 'fenestra.dev/bench': 'raw' };
const { signal } = new AbortController();

/** Starts so many pods by bare calls of the runtime, all at once: a sandbox and one container each. */
export async function startRawPods(cri: ContainerRuntime, folder: string, count: number): Promise<StartTimes> {
  const begun = Date.now();
  const took = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await startRawPod(cri, folder, `raw-${index}`);
      return Date.now() - begun;
    }),
  );
  return { each: took };
}

async function startRawPod(cri: ContainerRuntime, folder: string, name: string): Promise<void> {
  const metadata = { name, uid: `${name}-${Date.now()}`, namespace: 'raw', attempt: 0 };
  const sandbox = { metadata, labels: LABEL, logDirectory: join(folder, 'raw-logs', name), linux: {} };
  const id = await cri.runSandbox(sandbox, '', signal);
  const container = await cri.createContainer(id, rawContainer(0), sandbox, signal);
  await cri.startContainer(container, signal);
}

function rawContainer(attempt: number) {
  const metadata = { name: 'main', attempt };
  return { metadata, image: { image: POD_IMAGE }, command: ['/bin/sh', '-c', SCRIPT], logPath: 'main.log', linux: {} };
}

/** How long the runtime itself takes for another instance in a pod that runs, in milliseconds. */
export async function rawRestartMs(cri: ContainerRuntime, folder: string): Promise<number> {
  await startRawPod(cri, folder, 'raw-restart');
  const [sandbox] = await cri.listSandboxes({ labelSelector: LABEL }, signal);
  const config = { metadata: sandbox?.metadata, labels: LABEL, logDirectory: join(folder, 'raw-logs', 'raw-restart') };
  const begun = performance.now();
  const id = await cri.createContainer(sandbox?.id ?? '', rawContainer(1), { ...config, linux: {} }, signal);
  await cri.startContainer(id, signal);
  const took = performance.now() - begun;
  await removeRawPods(cri);
  return took;
}

/** Removes them, so that the next measurement finds an idle runtime. */
export async function removeRawPods(cri: ContainerRuntime): Promise<void> {
  for (const { id } of await cri.listSandboxes({ labelSelector: LABEL }, signal)) {
    await cri.stopSandbox(id, signal);
    await cri.removeSandbox(id, signal);
  }
}
