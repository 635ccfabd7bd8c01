import { join, resolve } from 'node:path';
import { pathExists } from '@fenestra/steps';
import { OperatorError } from '@fenestra/kernel';
import { Option } from 'commander';
import type { KeadmEnvironment } from '../platform.ts';

/** What the embedded API calls the administrator's kubeconfig in its folder. */
export const ADMIN_KUBECONFIG = 'admin.kubeconfig';

/** `--kubeconfig FILE` */
export function kubeconfigOption(): Option {
  return new Option('--kubeconfig <file>', 'kubeconfig of the cloud (default: the cloud on this machine)').argParser(
    (path) => resolve(path),
  );
}

/** The kubeconfig that was named, or that of the embedded API on this machine. */
export async function findKubeconfig(
  { loadPlatform }: KeadmEnvironment,
  { root, kubeconfig }: { readonly root?: string; readonly kubeconfig?: string },
): Promise<string> {
  if (kubeconfig !== undefined) return kubeconfig;
  const { layout } = await loadPlatform(root);
  const own = join(layout.cloudFolder, ADMIN_KUBECONFIG);
  if (await pathExists(own)) return own;
  throw new OperatorError('USAGE', 'Missing the kubeconfig: there is no cloud on this machine', {
    hint: 'Give "--kubeconfig FILE".',
  });
}
