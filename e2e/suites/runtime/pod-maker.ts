import { connectRuntime, type PodSandboxConfigInit } from '@fenestra/cri';
import { NamespaceMode } from '@fenestra/cri/messages';
import { TEST_IMAGE } from '../../support/beds/test-images.ts';

/** A pod to be made. */
export interface PodWish {
  readonly namespace: string;
  readonly name: string;
  /** Names of its containers. */
  readonly containers: readonly string[];
  /** Whether it gets the labels that a kubelet puts on everything that it makes. */
  readonly labelled: boolean;
}

/** The ids of what was made. */
export interface MadePod {
  readonly sandbox: string;
  readonly containers: readonly string[];
}

/** Makes pods the way a kubelet does: a sandbox, containers in it, each with the labels. */
export async function makePod(endpoint: string, wish: PodWish, signal: AbortSignal): Promise<MadePod> {
  const runtime = connectRuntime(endpoint);
  try {
    const config = sandboxConfig(wish);
    const sandbox = await runtime.runSandbox(config, '', signal);
    const containers: string[] = [];
    for (const name of wish.containers) {
      const container = { metadata: { name }, image: { image: TEST_IMAGE }, labels: labelsOf(wish) };
      const id = await runtime.createContainer(sandbox, container, config, signal);
      await runtime.startContainer(id, signal);
      containers.push(id);
    }
    return { sandbox, containers };
  } finally {
    runtime.close();
  }
}

/** The host's own network, so that no network plugin is needed. */
function sandboxConfig(wish: PodWish): PodSandboxConfigInit {
  const { name, namespace } = wish;
  return {
    metadata: { name, uid: uidOf(wish), namespace },
    labels: labelsOf(wish),
    linux: { securityContext: { namespaceOptions: { network: NamespaceMode.NODE } } },
  };
}

function labelsOf(wish: PodWish): Record<string, string> {
  if (!wish.labelled) return { 'made-by': 'someone else' };
  return {
    'io.kubernetes.pod.name': wish.name,
    'io.kubernetes.pod.namespace': wish.namespace,
    'io.kubernetes.pod.uid': uidOf(wish),
  };
}

function uidOf({ namespace, name }: PodWish): string {
  return `uid-of-${namespace}-${name}`;
}
