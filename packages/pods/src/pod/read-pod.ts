import { podSpecDefaults } from '@fenestra/contracts/objects';
import { issueMessage } from '@fenestra/contracts/reading';
import { isJsonArray, isJsonObject, objectAt, type Json, type JsonObject } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { Pod } from './pod.ts';

/** Something wrong with a field of a pod. The path is empty for the pod as a whole. */
export interface PodProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A pod, or what is wrong with its fields. */
export type PodReading = { readonly pod: Pod } | { readonly problems: readonly PodProblem[] };

/** Reads a pod from the JSON of the API or of a static pod, and fills in what the API server would. */
export function readPod(json: Json): PodReading {
  const object = withoutNulls(json);
  if (!isJsonObject(object)) return { problems: [{ path: [], message: 'the pod is not a JSON object' }] };
  const spec = podSpecDefaults(objectAt(object, 'spec'));
  const read = z.safeParse(Pod, { ...object, spec }, { error: issueMessage });
  if (read.success) return { pod: read.data };
  return { problems: read.error.issues.map(({ path, message }) => ({ path, message })) };
}

/** A problem as a text, such as `spec.containers[0].image: must be a text`. */
export function podProblemText({ path, message }: PodProblem): string {
  return path.length === 0 ? message : `${fieldPath(path)}: ${message}`;
}

/** Go writes lists, maps and times that were never set as null. */
function withoutNulls(value: Json | undefined): Json | undefined {
  if (value === null) return undefined;
  if (isJsonArray(value)) return value.map(withoutNulls).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const kept = withoutNulls(item);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return Object.fromEntries(entries) satisfies JsonObject;
}

function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '');
}
