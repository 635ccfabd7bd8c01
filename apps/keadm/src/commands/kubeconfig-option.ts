import { resolve } from 'node:path';
import { pathExists } from '@fenestra/platform';
import { OperatorError } from '@fenestra/kernel';
import { Option } from 'commander';
import type { CloudAdmin } from '@fenestra/lifecycle/cloud';
import type { KeadmEnvironment } from '../platform.ts';
import { requireSafeInputs } from './input-option.ts';

/** `--kubeconfig FILE` */
export function kubeconfigOption(): Option {
  return new Option('--kubeconfig <file>', 'kubeconfig of the cloud (default: the cloud on this machine)').argParser(
    (path) => resolve(path),
  );
}

/**
 * The kubeconfig that was named, or that of the embedded API on this machine. It can name a program that gets the
 * credentials, so it is refused if another account can change it, by commands that only read, too.
 */
async function findKubeconfig(
  { loadCloud, loadPlatform }: KeadmEnvironment,
  { root, kubeconfig }: { readonly root?: string; readonly kubeconfig?: string },
): Promise<string> {
  const { access, layout } = await loadPlatform(root);
  const path = kubeconfig ?? (await loadCloud()).adminKubeconfig(layout);
  await requireSafeInputs(access, [path]);
  if (kubeconfig !== undefined || (await pathExists(path))) return path;
  throw new OperatorError('USAGE', 'Missing the kubeconfig: there is no cloud on this machine', {
    hint: 'Give "--kubeconfig FILE".',
  });
}

/** Which cloud a command is about. */
export interface CloudFlags {
  readonly root?: string;
  readonly kubeconfig?: string;
}

/** Opens the cloud that was named, or that of this machine, and closes it afterwards. */
export async function withCloud<T>(
  environment: KeadmEnvironment,
  flags: CloudFlags,
  work: (cloud: CloudAdmin) => Promise<T>,
): Promise<T> {
  const { openCloudAdmin } = await environment.loadCloud();
  const cloud = await openCloudAdmin(await findKubeconfig(environment, flags));
  try {
    return await work(cloud);
  } finally {
    cloud.close();
  }
}
