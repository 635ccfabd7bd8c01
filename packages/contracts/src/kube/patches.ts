import { isJsonArray, isJsonObject, type Json, type JsonObject, OperatorError } from '@fenestra/kernel';
import { applyJsonPatch, applyMergePatch } from '../objects/json-patch.ts';
import { PatchError } from '../objects/working-copy.ts';
import { toJson } from '../wire/json.ts';
import { tryReadDocuments } from './kube-yaml.ts';

/** What patches for a kubelet's configuration are called after. */
export const KUBELET_TARGET = 'kubeletconfiguration';

/** A file of the folder of patches. */
export interface PatchFile {
  /** As the folder has it; below its own folder, with the path. */
  readonly name: string;
  readonly text: string;
}

/** How a patch is laid over what it changes. */
type PatchType = 'strategic' | 'merge' | 'json';

/** One document of a patch file. */
export interface Patch {
  /** The file it comes from. */
  readonly source: string;
  readonly target: string;
  readonly type: PatchType;
  readonly content: unknown;
}

/** The patches of a folder, in the order they count, and what was skipped. */
export interface PatchReading {
  readonly patches: readonly Patch[];
  readonly warnings: readonly string[];
}

const TARGETS = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  KUBELET_TARGET,
  'corednsdeployment',
];

const FILE_NAME = new RegExp(String.raw`^(${TARGETS.join('|')})([^.+\n]*)(?:\+([^.+\n]*))?\.(?:json|yaml)$`);

/**
 * Reads a folder of patches: `target[suffix][+type].json` or `.yaml`, in the order of their names, every document of a file
 * in its order. Other files are skipped with a message; a type no one knows is a mistake and throws `CONFIG_INVALID`.
 */
export function readPatches(files: readonly PatchFile[]): PatchReading {
  const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    patches: sorted.filter(isPatch).flatMap(patchesIn),
    warnings: sorted.filter((file) => !isPatch(file)).map(({ name }) => `"${name}" is not a patch for a known target`),
  };
}

function isPatch({ name }: PatchFile): boolean {
  return FILE_NAME.test(baseName(name));
}

function patchesIn({ name, text }: PatchFile): readonly Patch[] {
  const [, target = '', , type = 'strategic'] = FILE_NAME.exec(baseName(name)) ?? [];
  if (!isType(type)) throw invalidPatch(name, `"+${type}" must be "+strategic", "+merge" or "+json"`);
  return documentsOf(name, text).map((content) => ({ source: name, target, type, content }));
}

function isType(text: string): text is PatchType {
  return text === 'strategic' || text === 'merge' || text === 'json';
}

/** Empty documents change nothing. */
function documentsOf(name: string, text: string): readonly unknown[] {
  const documents = tryReadDocuments(text);
  if (documents === undefined) throw invalidPatch(name, 'it is not YAML or JSON');
  return documents.filter((content) => content !== null);
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** A patch that cannot be read or does not fit what it is to change. */
function invalidPatch(source: string, reason: string): OperatorError {
  return new OperatorError('CONFIG_INVALID', `Cannot use the patch "${source}": ${reason}`, {
    hint: 'Correct the file, or remove it from the folder of patches.',
    details: { file: source },
  });
}

/** Applies the patches for one target in their order. Throws `CONFIG_INVALID` naming the file that does not fit. */
export function applyPatches(value: unknown, target: string, patches: readonly Patch[]): Json | undefined {
  const applicable = patches.filter((patch) => patch.target === target);
  return applicable.reduce<Json | undefined>(applyPatch, toJson(value));
}

function applyPatch(value: Json | undefined, { type, content, source }: Patch): Json | undefined {
  const patch = toJson(content);
  try {
    switch (type) {
      case 'merge':
        return applyMergePatch(value, patch);
      case 'strategic':
        return applyStrategicPatch(value, patch);
      case 'json':
        return applyJsonPatch(value ?? null, patch);
    }
  } catch (error) {
    throw error instanceof PatchError ? invalidPatch(source, error.message) : error;
  }
}

/**
 * Applies a strategic merge patch to a kubelet's configuration. None of its lists merges by a key, so this is a merge
 * patch with the directives `$patch` and `$retainKeys`.
 */
function applyStrategicPatch(value: Json | undefined, patch: Json): Json | undefined {
  if (!isJsonObject(patch)) throw new PatchError('it must be a mapping', false);
  const { $patch: directive = 'merge', $retainKeys: retained, ...rest } = patch;
  const unknown = Object.keys(rest).find((key) => key.startsWith('$'));
  if (unknown !== undefined) throw new PatchError(`it has the directive "${unknown}", which is not supported`, false);
  if (directive === 'delete') return undefined;
  if (directive === 'replace') return applyMergePatch({}, rest);
  if (directive !== 'merge') throw new PatchError('"$patch" must be "merge", "replace" or "delete"', false);
  const merged = new Map(Object.entries(retainedOf(value, retained)));
  for (const [key, part] of Object.entries(rest)) {
    const result = isJsonObject(part) ? applyStrategicPatch(merged.get(key), part) : (part ?? undefined);
    if (result === undefined) merged.delete(key);
    else merged.set(key, result);
  }
  return Object.fromEntries(merged);
}

/** With `$retainKeys`, fields that it does not list are removed. */
function retainedOf(value: Json | undefined, retained: Json | undefined): JsonObject {
  if (!isJsonObject(value)) return {};
  if (!isJsonArray(retained)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => retained.includes(key)));
}
