import { OperatorError } from '@fenestra/kernel';
import type { NodeOs } from '../config/edgecore/edge-paths.ts';

/** Where the container runtimes that Kubernetes knows listen, the usual one first. */
const ENDPOINTS: Readonly<Record<NodeOs, readonly string[]>> = {
  linux: [
    'unix:///var/run/containerd/containerd.sock',
    'unix:///var/run/crio/crio.sock',
    'unix:///var/run/cri-dockerd.sock',
  ],
  windows: ['npipe:////./pipe/containerd-containerd', 'npipe:////./pipe/cri-o', 'npipe:////./pipe/cri-dockerd'],
};

const SCHEMES: Readonly<Record<NodeOs, string>> = { linux: 'unix', windows: 'npipe' };

/** The endpoint that counts where none is given. */
export function defaultCriEndpoint(os: NodeOs): string {
  return ENDPOINTS[os][0] ?? '';
}

/**
 * The endpoint as a kubelet wants it: a bare path or pipe gets this system's scheme. Throws `CONFIG_INVALID` for what is
 * an endpoint of another system or none at all.
 */
export function criEndpoint(text: string, os: NodeOs): string {
  if (isCriEndpoint(text, os)) return withScheme(text, os);
  throw new OperatorError('CONFIG_INVALID', `Cannot use the container runtime endpoint ${JSON.stringify(text)}`, {
    hint: `Give an endpoint such as "${defaultCriEndpoint(os)}".`,
  });
}

/** Whether a text names an endpoint of this system, with its scheme or without. */
export function isCriEndpoint(text: string, os: NodeOs): boolean {
  const endpoint = withScheme(text, os);
  if (os === 'linux') return /^unix:\/\/\/[^\s"]+$/.test(endpoint);
  return /^npipe:\/\/(\/\/[^/\s"]+|[^/\s"]+|)\/pipe\/[^\s"]+$/i.test(endpoint);
}

function withScheme(text: string, os: NodeOs): string {
  const written = os === 'windows' ? text.trim().replaceAll('\\', '/') : text.trim();
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `${SCHEMES[os]}://${written}`;
}
