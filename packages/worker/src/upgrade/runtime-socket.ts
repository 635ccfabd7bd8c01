import { CRI_SOCKET_ANNOTATION, parseArg } from '@fenestra/contracts/kube';
import { parse } from 'yaml';
import * as z from 'zod/mini';

const RUNTIME_FLAG = 'container-runtime-endpoint';
const InstanceConfig = z.object({ containerRuntimeEndpoint: z.string().check(z.minLength(1)) });

/** The places where a worker may say which container runtime it works with. */
export interface RuntimeSayings {
  /** The text of `instance-config.yaml`. */
  readonly instanceConfig: string | undefined;
  /** What `kubeadm-flags.env` says. */
  readonly flags: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
  /** What keadm remembers. */
  readonly recorded: string | undefined;
}

/** The container runtime that a worker works with, by whichever place says it: each version of kubeadm has another. */
export function runtimeSocket({ instanceConfig, flags, annotations, recorded }: RuntimeSayings): string | undefined {
  const flag = flags.map(parseArg).findLast(({ name }) => name === RUNTIME_FLAG)?.value;
  return inInstanceConfig(instanceConfig) ?? flag ?? annotations[CRI_SOCKET_ANNOTATION] ?? recorded;
}

function inInstanceConfig(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : InstanceConfig.parse(parse(text)).containerRuntimeEndpoint;
  } catch {
    return undefined;
  }
}
