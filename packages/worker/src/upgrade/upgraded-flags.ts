import { flagsEnvText, parseArg, retiredFlags, versionTraits, type FeatureGates } from '@fenestra/contracts/kube';

const RUNTIME_FLAG = 'container-runtime-endpoint';

/** What the flags of a worker become. */
export interface FlagsChange {
  readonly flags: readonly string[];
  /** The kubelet that is to heed them. */
  readonly version: string;
  readonly featureGates: FeatureGates;
  readonly criSocket: string;
}

/**
 * The text of `kubeadm-flags.env` for another version: without what it no longer knows, and with the runtime where it
 * expects it. Everything else stays as its author wrote it.
 */
export function upgradedFlags({ flags, version, featureGates, criSocket }: FlagsChange): string {
  const retired = new Set(retiredFlags(flags, version));
  const kept = flags.filter((flag) => !retired.has(flag));
  const isRuntime = (flag: string): boolean => parseArg(flag).name === RUNTIME_FLAG;
  if (versionTraits(version, featureGates).nodeLocalCriSocket) {
    return flagsEnvText(kept.filter((flag) => !isRuntime(flag)));
  }
  return flagsEnvText(kept.some(isRuntime) ? kept : [`--${RUNTIME_FLAG}=${criSocket}`, ...kept]);
}
