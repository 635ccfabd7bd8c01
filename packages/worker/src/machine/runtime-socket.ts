import { readFile } from 'node:fs/promises';
import { parseFlagsEnv } from '../kubelet-flags/flags-env.ts';
import { recordedCriSocket } from '../kubelet-flags/upgrade-flags.ts';
import type { WorkerMachine } from './gather-machine.ts';

/**
 * The container runtime that a worker works with, as far as the machine knows it; `annotations` are the node's, where the
 * cluster was asked. Files that nobody understands say nothing.
 */
export async function runtimeSocket(
  { layout, record }: Pick<WorkerMachine, 'layout' | 'record'>,
  annotations: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const instanceConfig = await readFile(layout.instanceConfig, 'utf8').catch(() => undefined);
  const flags = await flagsIn(layout.flagsFile);
  return recordedCriSocket({ flags, instanceConfig, annotations }) ?? record?.cluster?.criSocket;
}

async function flagsIn(path: string): Promise<readonly string[]> {
  try {
    return parseFlagsEnv(await readFile(path, 'utf8'));
  } catch {
    return [];
  }
}
