import { podSpecDefaults } from '@fenestra/contracts/objects';
import { isJsonArray, isJsonObject, objectAt, type Json, type JsonObject } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { Pod } from './pod.ts';

/** A pod, or what is wrong with its fields. */
export type PodReading = { readonly pod: Pod } | { readonly problems: readonly string[] };

/** Reads a pod from the JSON of the API or of a static pod, and fills in what the API server would. */
export function readPod(json: Json): PodReading {
  const object = withoutNulls(json);
  if (!isJsonObject(object)) return { problems: ['the pod is not a JSON object'] };
  const read = z.safeParse(Pod, { ...object, spec: podSpecDefaults(objectAt(object, 'spec')) });
  if (read.success) return { pod: read.data };
  return { problems: read.error.issues.map(({ path, message }) => `${fieldPath(path)}: ${message}`) };
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
