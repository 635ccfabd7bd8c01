import { tryReadDocuments } from '../kube-yaml.ts';
import { invalidPatch } from './invalid-patch.ts';
import { KUBELET_TARGET, type Patch, type PatchFile, type PatchReading, type PatchType } from './patch.ts';

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
 * in its order. Other files are passed over with a word; a type nobody knows is a mistake and throws `CONFIG_INVALID`.
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
