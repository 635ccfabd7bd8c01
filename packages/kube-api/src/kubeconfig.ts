import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileError, OperatorError } from '@fenestra/kernel';
import { KubeConfig } from '@kubernetes/client-node';

/** Where the server's address and the credentials come from: a file, its text, or the pod this program runs in. */
export type KubeApiSource =
  | { readonly kubeconfigFile: string }
  | { readonly kubeconfig: string }
  | { readonly inCluster: true };

/** Reads where the cluster is and who we are. */
export async function loadKubeConfig(source: KubeApiSource): Promise<KubeConfig> {
  const config = new KubeConfig();
  if ('inCluster' in source) config.loadFromCluster();
  else await loadText(config, source);
  if (!isUsable(config)) throw invalid('it names no current context with a server address');
  return config;
}

/** The kubeconfig cannot be used. The cause is left out: it would quote the file, and with it a key. */
export function invalid(reason: string): OperatorError {
  return new OperatorError('KUBECONFIG_INVALID', `Cannot use the kubeconfig: ${reason}`, {
    hint: 'Check the kubeconfig with "kubectl --kubeconfig FILE cluster-info".',
  });
}

async function loadText(
  config: KubeConfig,
  source: { kubeconfigFile: string } | { kubeconfig: string },
): Promise<void> {
  const file = 'kubeconfigFile' in source ? source.kubeconfigFile : undefined;
  const text = 'kubeconfig' in source ? source.kubeconfig : await read(source.kubeconfigFile);
  try {
    config.loadFromString(text);
  } catch {
    throw invalid(file === undefined ? 'it is not a kubeconfig' : `"${file}" is not a kubeconfig`);
  }
  if (file !== undefined) config.makePathsAbsolute(dirname(file));
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw fileError(error, `read the kubeconfig "${file}"`);
  }
}

function isUsable(config: KubeConfig): boolean {
  const server = config.getCurrentCluster()?.server;
  return server !== undefined && URL.canParse(server) && /^https?:$/.test(new URL(server).protocol);
}
