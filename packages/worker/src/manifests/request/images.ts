import { OperatorError } from '@fenestra/kernel';
import type { KubernetesVersion } from './supported-version.ts';
import type { ImageName } from './manifest-request.ts';

type Images = Readonly<Record<ImageName, string>>;

/**
 * An image without any program: kube-proxy is the node's own, so that it is replaced together with the kubelet and
 * nobody else's build of it is trusted.
 */
const EMPTY_IMAGE = 'mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image:v1.0.0';

const NAMES: readonly ImageName[] = ['kube-proxy', 'flannel'];

/** The images of whoever names none. */
export function defaultImages(version: KubernetesVersion, wins: boolean): Images {
  if (!wins) return { 'kube-proxy': EMPTY_IMAGE, flannel: 'sigwindowstools/flannel:v0.21.5-hostprocess' };
  return {
    'kube-proxy': `sigwindowstools/kube-proxy:${version}-nanoserver`,
    flannel: 'sigwindowstools/flannel:v0.13.0-nanoserver',
  };
}

/** Puts what `NAME=REFERENCE` says in place of the defaults. */
export function chooseImages(defaults: Images, choices: readonly string[]): Images {
  return { ...defaults, ...Object.fromEntries(choices.map(readChoice)) };
}

function readChoice(choice: string): readonly [ImageName, string] {
  const at = choice.indexOf('=');
  const name = NAMES.find((each) => each === choice.slice(0, Math.max(at, 0)));
  if (name === undefined)
    throw unusable(choice, `it does not start with ${NAMES.map((each) => `"${each}="`).join(' or ')}`);
  const reference = choice.slice(at + 1);
  if (!REFERENCE.test(reference)) throw unusable(choice, 'it names no image');
  return [name, reference];
}

const HOST = /[a-zA-Z0-9][a-zA-Z0-9.-]*(:[0-9]+)?/;
const PATH = /[a-z0-9]+([._-]+[a-z0-9]+)*(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*/;
const TAG = /[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,127}/;
const DIGEST = /[a-z0-9]+:[a-f0-9]{32,}/;
/** See https://github.com/distribution/reference for the grammar. */
const REFERENCE = new RegExp(`^(${HOST.source}/)?${PATH.source}(:${TAG.source})?(@${DIGEST.source})?$`);

function unusable(choice: string, reason: string): OperatorError {
  return new OperatorError('USAGE', `Cannot use "--image ${choice}": ${reason}`, {
    hint: 'Give a name and a reference, such as "--image flannel=registry.example/flannel:v0.26.0".',
  });
}
