import { parseQuantity } from '@fenestra/contracts/objects';
import { memoryLimitOf } from '../resources/pod-resources.ts';
import type { Pod } from '../pod/pod.ts';
import type { ProjectedSource, Volume } from '../pod/volume-fields.ts';
import { hostPathVolume } from './host-path.ts';
import { volumeFolder, type VolumePlugin } from './pod-folders.ts';
import { projectData, projectFields, type Projection } from './projection.ts';
import { filePathProblem } from './safe-path.ts';
import { tokenKey, type VolumeFacts } from './volume-facts.ts';
import type { EmptyVolume, RefusedVolume, VolumeFile, VolumeOwnership, VolumePlan } from './volume-plan.ts';

/** What the agent has to do for each volume of a pod. */
export function planVolumes(pod: Pod, facts: VolumeFacts): readonly VolumePlan[] {
  return (pod.spec.volumes ?? []).map((volume) => planVolume(pod, volume, facts));
}

function planVolume(pod: Pod, volume: Volume, facts: VolumeFacts): VolumePlan {
  const { name, emptyDir, hostPath, persistentVolumeClaim } = volume;
  if (emptyDir) return emptyVolume(pod, volume, facts);
  if (hostPath) return hostPathVolume(name, hostPath, false);
  if (persistentVolumeClaim) return claimedVolume(name, persistentVolumeClaim, facts);
  const content = projectionOf(pod, volume, facts);
  if (typeof content === 'string') return refused(name, content);
  const { plugin, projection } = content;
  const files = lastOfEach(projection.files);
  const problem = filesProblem(files);
  if (problem !== undefined) return refused(name, problem);
  return {
    kind: 'files',
    name,
    plugin,
    folder: volumeFolder(plugin, volume),
    medium: plugin === 'configmap' ? 'disk' : 'memory',
    files,
    ...ownership(pod),
    immutable: projection.immutable,
    missing: projection.missing,
  };
}

function emptyVolume(pod: Pod, volume: Volume, facts: VolumeFacts): EmptyVolume | RefusedVolume {
  const { medium = '', sizeLimit } = volume.emptyDir ?? {};
  if (medium !== '' && medium !== 'Memory') {
    return refused(volume.name, `the medium "${medium}" of an emptyDir is not supported on this node`);
  }
  const limit = sizeLimit === undefined ? undefined : parseQuantity(sizeLimit);
  const available = memoryLimitOf(pod.spec) ?? parseQuantity(facts.allocatable['memory'] ?? '');
  const sizes = [limit, medium === 'Memory' ? available : undefined].filter((size) => size !== undefined && size > 0);
  return {
    kind: 'empty-dir',
    name: volume.name,
    folder: volumeFolder('empty-dir', volume),
    medium: medium === 'Memory' ? 'memory' : 'disk',
    ...(sizes.length > 0 && { sizeBytes: Math.min(...sizes.map(Number)) }),
    ...ownership(pod),
  };
}

function claimedVolume(
  name: string,
  { claimName, readOnly = false }: { readonly claimName: string; readonly readOnly?: boolean },
  { claims }: VolumeFacts,
): VolumePlan {
  const bound = claims.get(claimName);
  if (bound === undefined) {
    const message = `persistentvolumeclaim "${claimName}" not found or not bound`;
    return { kind: 'missing', name, missing: { kind: 'PersistentVolumeClaim', name: claimName, message } };
  }
  if (bound.hostPath) return hostPathVolume(name, bound.hostPath, readOnly);
  if (bound.local) return hostPathVolume(name, { path: bound.local.path, type: 'Directory' }, readOnly);
  return refused(name, `the persistent volume "${bound.name}" is neither "hostPath" nor "local"`);
}

interface Content {
  readonly plugin: VolumePlugin;
  readonly projection: Projection;
}

/** The files of a volume, or why it is refused. */
function projectionOf(pod: Pod, volume: Volume, facts: VolumeFacts): Content | string {
  const { configMap, secret, downwardAPI, projected } = volume;
  if (configMap) {
    const source = { ...configMap, kind: 'ConfigMap' as const };
    return { plugin: 'configmap', projection: projectData(facts, source, configMap.defaultMode) };
  }
  if (secret) {
    const source = { ...secret, kind: 'Secret' as const, name: secret.secretName };
    return { plugin: 'secret', projection: projectData(facts, source, secret.defaultMode) };
  }
  if (downwardAPI) {
    const { items, defaultMode } = downwardAPI;
    return { plugin: 'downward-api', projection: projectFields(pod, facts, items, defaultMode) };
  }
  if (!projected) return `the volume source "${unknownSource(volume, 'name')}" is not supported on this node`;
  const parts = (projected.sources ?? []).map((source) => projectSource(pod, facts, source, projected.defaultMode));
  const problem = parts.find((part) => typeof part === 'string');
  if (problem !== undefined) return problem;
  return { plugin: 'projected', projection: join(parts.filter((part) => typeof part !== 'string')) };
}

function projectSource(pod: Pod, facts: VolumeFacts, source: ProjectedSource, mode: number): Projection | string {
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  if (configMap) return projectData(facts, { ...configMap, kind: 'ConfigMap' }, mode);
  if (secret) return projectData(facts, { ...secret, kind: 'Secret' }, mode);
  if (downwardAPI) return projectFields(pod, facts, downwardAPI.items, mode);
  if (!serviceAccountToken) {
    return `the projected source "${unknownSource(source, '')}" is not supported on this node`;
  }
  const { audience = '', expirationSeconds, path } = serviceAccountToken;
  const token = facts.tokens.get(tokenKey({ audience, expirationSeconds }));
  if (token === undefined) {
    const name = pod.spec.serviceAccountName ?? '';
    const message = `no token of the service account "${name}" yet`;
    return { files: [], missing: [{ kind: 'ServiceAccountToken', name, message }], immutable: false };
  }
  return { files: [tokenFile(pod, path, token, mode)], missing: [], immutable: false };
}

/** A token is readable for others only if nothing says which user or group it is for. */
function tokenFile({ spec }: Pod, path: string, token: string, mode: number): VolumeFile {
  const { runAsUser, fsGroup } = spec.securityContext;
  const users = new Set(
    [...spec.containers, ...(spec.initContainers ?? [])].map(
      ({ securityContext }) => securityContext?.runAsUser ?? runAsUser,
    ),
  );
  const [uid] = users.size === 1 ? users : [];
  const content = Buffer.from(token, 'utf8');
  if (uid !== undefined) return { path, content, mode: 0o600, uid };
  return { path, content, mode: fsGroup === undefined ? mode : 0o600 };
}

function join(parts: readonly Projection[]): Projection {
  return {
    files: parts.flatMap(({ files }) => files),
    missing: parts.flatMap(({ missing }) => missing),
    immutable: parts.length > 0 && parts.every(({ immutable }) => immutable),
  };
}

/** A later source replaces the file of an earlier one. */
function lastOfEach(files: readonly VolumeFile[]): readonly VolumeFile[] {
  return [...new Map(files.map((file) => [file.path, file])).values()];
}

function filesProblem(files: readonly VolumeFile[]): string | undefined {
  const paths = new Set(files.map(({ path }) => path));
  for (const path of paths) {
    const problem = filePathProblem(path);
    if (problem !== undefined) return `the path "${path}" ${problem}`;
    const parent = path.split('/').slice(0, -1).join('/');
    if (paths.has(parent)) return `the path "${path}" is below the file "${parent}"`;
  }
  return undefined;
}

function ownership({ spec }: Pod): { readonly ownership?: VolumeOwnership } {
  const { fsGroup, fsGroupChangePolicy } = spec.securityContext;
  if (fsGroup === undefined) return {};
  const policy = fsGroupChangePolicy === 'OnRootMismatch' ? 'OnRootMismatch' : 'Always';
  return { ownership: { fsGroup, policy } };
}

function refused(name: string, message: string): RefusedVolume {
  return { kind: 'refused', name, message };
}

function unknownSource(source: object, known: string): string {
  return Object.keys(source).find((key) => key !== known) ?? '';
}
