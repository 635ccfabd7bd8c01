import { isAtLeast, parseArg } from '@fenestra/contracts/kube';

/** The minor version that no longer knows a flag: a kubelet that meets one it does not know ends at once. */
const RETIRED: ReadonlyMap<string, number> = new Map([
  ['cni-bin-dir', 24],
  ['cni-cache-dir', 24],
  ['cni-conf-dir', 24],
  ['docker-endpoint', 24],
  ['dynamic-config-dir', 24],
  ['experimental-dockershim-root-directory', 24],
  ['image-pull-progress-deadline', 24],
  ['network-plugin', 24],
  ['network-plugin-mtu', 24],
  ['add-dir-header', 26],
  ['alsologtostderr', 26],
  ['log-backtrace-at', 26],
  ['log-dir', 26],
  ['log-file', 26],
  ['log-file-max-size', 26],
  ['logtostderr', 26],
  ['one-output', 26],
  ['skip-headers', 26],
  ['skip-log-headers', 26],
  ['stderrthreshold', 26],
  ['container-runtime', 27],
  ['pod-infra-container-image', 35],
]);

/** Of a kubelet's arguments, those that its version no longer knows, in their order. */
export function retiredFlags(flags: readonly string[], version: string): readonly string[] {
  return flags.filter((flag) => {
    const minor = RETIRED.get(parseArg(flag).name);
    return minor !== undefined && isAtLeast(version, minor);
  });
}
