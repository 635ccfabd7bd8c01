import { readYamlValue } from '@fenestra/contracts/reading';
import { type JsonObject, stringAt } from '@fenestra/kernel';
import { podProblemText } from '../pod/read-pod.ts';
import { staticPod } from './static-pod.ts';

/** A static pod and the file that defines it. */
export interface Manifest {
  /** The path of the file. */
  readonly file: string;
  readonly pod: JsonObject;
}

/** A file as it was found: its text, why it cannot be used, or neither while it may still be being written. */
export interface ManifestFile {
  readonly file: string;
  readonly text?: string;
  readonly problem?: string;
}

/** Why a file does not define a pod, or not the one that it defined before. */
export interface FileProblem {
  readonly file: string;
  readonly line?: number;
  readonly reason: string;
}

/** What the files of a folder define. */
export interface TakenManifests {
  readonly manifests: readonly Manifest[];
  readonly problems: readonly FileProblem[];
}

/** Names that editors and copying programs give to files that are not finished do not end in this way. */
export function isManifestName(name: string): boolean {
  return !name.startsWith('.') && /\.(ya?ml|json)$/i.test(name);
}

/**
 * Decides which static pods there are. A file that cannot be used keeps the pod that an earlier version of it defined.
 * Of two files with a pod of the same name the one that was there first counts.
 */
export function takeManifests(
  known: readonly Manifest[],
  files: readonly ManifestFile[],
  { nodeName, now }: { readonly nodeName: string; readonly now: number },
): TakenManifests {
  const before = new Map(known.map((manifest) => [manifest.file, manifest]));
  const readings = files.map((file) => readManifest(file, before.get(file.file), { nodeName, now }));
  const ordered = readings.toSorted((a, b) => Number(before.has(b.file)) - Number(before.has(a.file)));
  const manifests: Manifest[] = [];
  const problems: FileProblem[] = readings.flatMap(({ problem }) => problem ?? []);
  for (const { file, manifest } of ordered) {
    if (manifest === undefined) continue;
    const other = manifests.find(({ pod }) => nameOf(pod) === nameOf(manifest.pod));
    if (other === undefined) manifests.push(manifest);
    else problems.push({ file, reason: `"${other.file}" already defines the pod "${nameOf(manifest.pod)}"` });
  }
  return { manifests: manifests.toSorted((a, b) => (a.file < b.file ? -1 : 1)), problems };
}

interface Reading {
  readonly file: string;
  readonly manifest?: Manifest;
  readonly problem?: FileProblem;
}

function readManifest(
  { file, text, problem }: ManifestFile,
  before: Manifest | undefined,
  { nodeName, now }: { readonly nodeName: string; readonly now: number },
): Reading {
  const kept = before === undefined ? { file } : { file, manifest: before };
  if (problem !== undefined) return { ...kept, problem: { file, reason: problem } };
  if (text === undefined) return kept;
  const yaml = readYamlValue(text);
  if ('message' in yaml) return { ...kept, problem: { file, line: yaml.line, reason: `it ${yaml.message}` } };
  const read = staticPod(yaml.value, { nodeName, file, seenAt: now });
  if ('problems' in read) {
    const reason = read.problems.map(podProblemText).join('; ');
    return { ...kept, problem: { file, line: yaml.lineOf(read.problems[0]?.path ?? []), reason } };
  }
  const isSame = before !== undefined && uidOf(before.pod) === uidOf(read.pod);
  return { file, manifest: isSame ? before : { file, pod: read.pod } };
}

function uidOf(pod: JsonObject): string {
  return stringAt(pod, 'metadata', 'uid');
}

function nameOf(pod: JsonObject): string {
  return `${stringAt(pod, 'metadata', 'namespace')}/${stringAt(pod, 'metadata', 'name')}`;
}
