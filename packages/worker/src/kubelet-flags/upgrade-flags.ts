import { readInstanceConfig } from '../kubelet-configuration/instance-config.ts';
import { CRI_SOCKET_ANNOTATION, versionTraits, type FeatureGates } from '../version/version-traits.ts';
import { argText, parseArg } from '@fenestra/contracts/kube';
import { retiredFlags } from './retired-flags.ts';

/** Everything on a worker that may say which container runtime it has. */
export interface CriSocketTraces {
  readonly flags: readonly string[];
  /** The text of `instance-config.yaml`. */
  readonly instanceConfig?: string | undefined;
  /** The Node's annotations. */
  readonly annotations?: Readonly<Record<string, string>>;
}

const ENDPOINT = 'container-runtime-endpoint';

/** The container runtime a worker has: by its flags, which the kubelet obeys first, its own file, or its Node's annotation. */
export function recordedCriSocket({
  flags,
  instanceConfig = '',
  annotations = {},
}: CriSocketTraces): string | undefined {
  const flag = flags.map(parseArg).findLast(({ name, value }) => name === ENDPOINT && value !== '');
  return flag?.value ?? readInstanceConfig(instanceConfig) ?? (annotations[CRI_SOCKET_ANNOTATION] || undefined);
}

/** What flags are fitted to. */
export interface FlagsTarget {
  /** The kubelet's version from now on, newer or older than the one the flags are from. */
  readonly version: string;
  readonly featureGates?: FeatureGates;
  readonly criSocket: string;
}

/** The flags for another version: without what it does not know, and with the runtime where it looks for it. */
export function flagsForVersion(flags: readonly string[], target: FlagsTarget): readonly string[] {
  const traits = versionTraits(target.version, target.featureGates);
  const retired = new Set(retiredFlags(flags, target.version));
  const kept = flags.filter((flag) => !retired.has(flag));
  if (traits.nodeLocalCriSocket) return kept.filter((flag) => parseArg(flag).name !== ENDPOINT);
  const given = new Set(kept.map((flag) => parseArg(flag).name));
  const wanted = [
    ...(traits.remoteRuntimeFlag ? [{ name: 'container-runtime', value: 'remote' }] : []),
    { name: ENDPOINT, value: target.criSocket },
  ];
  return [...wanted.filter(({ name }) => !given.has(name)).map(argText), ...kept];
}
