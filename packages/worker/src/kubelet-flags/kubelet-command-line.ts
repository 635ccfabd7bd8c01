import { argText, defaultCriEndpoint, type KubeletArg, parseArg } from '@fenestra/contracts/kube';
import type { NodeOs } from '@fenestra/contracts';
import { retiredFlags, versionTraits } from '../version-traits.ts';

/** Of a worker's layout, what its kubelet gets. */
export interface KubeletFiles {
  readonly kubeletConfig: string;
  readonly kubeconfig: string;
  readonly bootstrapKubeconfig: string;
  readonly certificatesFolder: string;
}

/** What the arguments of a kubelet are made of. */
export interface KubeletStart {
  readonly layout: KubeletFiles;
  readonly os: NodeOs;
  readonly version: string;
  readonly flags: readonly string[];
  /** The node's name, for where the flags do not say it. */
  readonly nodeName?: string | undefined;
}

/**
 * All arguments a kubelet is started with: ours first and only where the flags do not say the same, then the flags, so
 * that `kubeadm-flags.env` has the last word. What the kubelet's version no longer knows is left out.
 */
export function kubeletCommandLine(start: KubeletStart): readonly string[] {
  const usable = usableFlags(start);
  const given = new Set(usable.map((flag) => parseArg(flag).name));
  const own = ownArgs(start, given).filter(({ name }) => !given.has(name));
  return [...own.map(argText), ...usable.map(foldedName)];
}

/** A kubelet that is the child of our service must not look for the service manager itself. */
function usableFlags({ flags, version }: KubeletStart): readonly string[] {
  const retired = new Set(retiredFlags(flags, version));
  return flags.filter((flag) => !retired.has(flag) && parseArg(flag).name !== 'windows-service');
}

function ownArgs(start: KubeletStart, given: ReadonlySet<string>): readonly KubeletArg[] {
  const { layout, os, nodeName } = start;
  return [
    { name: 'bootstrap-kubeconfig', value: layout.bootstrapKubeconfig },
    { name: 'kubeconfig', value: layout.kubeconfig },
    { name: 'config', value: layout.kubeletConfig },
    { name: 'cert-dir', value: layout.certificatesFolder },
    ...(nodeName === undefined ? [] : [{ name: 'hostname-override', value: nodeName }]),
    ...runtimeArgs(start, given),
    ...(os === 'windows' ? windowsArgs(start) : []),
  ];
}

/** Old kubelets think of Docker first; a network plugin among the flags means that Docker is meant. */
function runtimeArgs({ version, os }: KubeletStart, given: ReadonlySet<string>): readonly KubeletArg[] {
  const isDocker = given.has('network-plugin') && !given.has('container-runtime');
  if (!versionTraits(version).remoteRuntimeFlag || isDocker) return [];
  return [
    { name: 'container-runtime', value: 'remote' },
    { name: 'container-runtime-endpoint', value: defaultCriEndpoint(os) },
  ];
}

/** There is no resolver file on Windows, and old kubelets refuse there what they have for control groups by default. */
function windowsArgs({ version }: KubeletStart): readonly KubeletArg[] {
  const cgroups = [
    { name: 'cgroups-per-qos', value: 'false' },
    { name: 'enforce-node-allocatable', value: '' },
  ];
  return [{ name: 'resolv-conf', value: '' }, ...(versionTraits(version).windowsRefusesCgroups ? cgroups : [])];
}

/** The kubelet folds its name to lower case; saying it so keeps what is seen in the process list true. */
function foldedName(flag: string): string {
  const { name, value } = parseArg(flag);
  return name === 'hostname-override' ? argText({ name, value: value.trim().toLowerCase() }) : flag;
}
