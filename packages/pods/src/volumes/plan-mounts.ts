import type { ContainerEnvironment } from '../environment/container-environment.ts';
import { expand } from '../environment/expand.ts';
import type { Container, VolumeMount } from '../pod/container-fields.ts';
import { innerPathProblem } from './safe-path.ts';
import type { VolumePlan } from './volume-plan.ts';

/** One mount of a container. */
export interface MountPlan {
  readonly volume: string;
  /** The place among the mounts of the container, which names the folder of a sub path. */
  readonly index: number;
  /** As the container's system writes it. */
  readonly containerPath: string;
  /** A path inside of the volume; it may be a symbolic link that leads out and must be opened with care. */
  readonly subPath?: string;
  readonly readonly: boolean;
  readonly recursiveReadOnly: boolean;
  readonly propagation: MountPropagation;
}

/** How mounts inside of a mount spread, as numbers of the runtime interface: not, from the host, in both directions. */
export type MountPropagation = 0 | 1 | 2;

/** What mounts depend on. */
export interface MountFacts {
  readonly os: 'linux' | 'windows';
  readonly volumes: readonly VolumePlan[];
  readonly environment: ContainerEnvironment;
  /** Whether the runtime can make mounts below a mount read-only as well. */
  readonly recursiveReadOnly: boolean;
}

/** The mounts of a container, and what is wrong with them. */
export interface MountsPlan {
  readonly mounts: readonly MountPlan[];
  readonly problems: readonly string[];
}

/** Plans the mounts of a container's volumes. */
export function planMounts(container: Container, facts: MountFacts): MountsPlan {
  const planned = (container.volumeMounts ?? []).map((mount, index) => planMount(container, mount, index, facts));
  return {
    mounts: planned.filter((mount) => typeof mount !== 'string'),
    problems: planned.filter((mount) => typeof mount === 'string'),
  };
}

/** A path in a container as its system needs it. On Windows a path without a drive is on drive C. */
export function containerPathOf(path: string, os: 'linux' | 'windows'): string {
  if (os === 'linux') return path.startsWith('/') ? path : `/${path}`;
  if (path.includes(':') || path.startsWith('\\\\')) return path;
  return /^[/\\]/.test(path) ? `c:${path}` : `c:\\${path}`;
}

function planMount(container: Container, mount: VolumeMount, index: number, facts: MountFacts): MountPlan | string {
  const volume = facts.volumes.find(({ name }) => name === mount.name);
  if (volume === undefined) return `the volume "${mount.name}" does not exist`;
  const subPath = subPathOf(mount, facts.environment);
  if (typeof subPath === 'object') return subPath.problem;
  const propagation = PROPAGATIONS[mount.mountPropagation ?? 'None'] ?? 0;
  if (propagation === 2 && container.securityContext?.privileged !== true) {
    return `the mount of "${mount.name}" is bidirectional, but the container is not privileged`;
  }
  const readonly = isReadOnly(mount, volume);
  const recursive = recursiveReadOnlyOf(mount, facts);
  if (recursive === undefined) return `the runtime cannot mount "${mount.name}" recursively read-only`;
  return {
    volume: mount.name,
    index,
    containerPath: containerPathOf(mount.mountPath, facts.os),
    ...(subPath !== undefined && { subPath }),
    readonly,
    recursiveReadOnly: readonly && recursive,
    propagation: facts.os === 'linux' ? propagation : 0,
  };
}

const PROPAGATIONS: Readonly<Record<string, MountPropagation>> = { None: 0, HostToContainer: 1, Bidirectional: 2 };

/** Files that the agent writes cannot be written by containers. */
function isReadOnly({ readOnly = false }: VolumeMount, volume: VolumePlan): boolean {
  return readOnly || volume.kind === 'files' || (volume.kind === 'host-path' && volume.readOnly);
}

/** Whether a mount is to be recursively read-only; undefined if it must be and cannot. */
function recursiveReadOnlyOf({ recursiveReadOnly }: VolumeMount, facts: MountFacts): boolean | undefined {
  if (recursiveReadOnly === 'Enabled') return facts.recursiveReadOnly ? true : undefined;
  return recursiveReadOnly === 'IfPossible' && facts.recursiveReadOnly;
}

function subPathOf(
  { subPath, subPathExpr, name }: VolumeMount,
  { variables }: ContainerEnvironment,
): string | undefined | { readonly problem: string } {
  if (subPathExpr === undefined || subPathExpr === '') return checked(subPath, name);
  const values = new Map(variables.map(({ key, value }) => [key, Buffer.from(value).toString('utf8')]));
  const unknown: string[] = [];
  const path = expand(subPathExpr, (variable) => {
    if (!values.has(variable)) unknown.push(variable);
    return values.get(variable);
  });
  if (unknown.length > 0) return { problem: `the sub path of "${name}" needs the variable "${unknown.join('", "')}"` };
  return checked(path, name);
}

function checked(path: string | undefined, volume: string): string | undefined | { readonly problem: string } {
  if (path === undefined || path === '') return undefined;
  const problem = innerPathProblem(path);
  return problem === undefined ? path : { problem: `the sub path "${path}" of "${volume}" ${problem}` };
}
