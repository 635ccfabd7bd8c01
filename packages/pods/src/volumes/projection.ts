import {
  missingField,
  missingKey,
  missingObject,
  type DataKind,
  type MissingReference,
} from '../environment/keyed-data.ts';
import { podField } from '../environment/pod-fields.ts';
import { containerOf, resourceField } from '../environment/resource-fields.ts';
import type { Pod } from '../pod/pod.ts';
import type { DownwardFile } from '../pod/volume-fields.ts';
import type { VolumeFacts } from './volume-facts.ts';
import type { VolumeFile } from './volume-plan.ts';

/** Files of one source of a volume, and what does not exist. */
export interface Projection {
  readonly files: readonly VolumeFile[];
  readonly missing: readonly MissingReference[];
  readonly immutable: boolean;
}

/** A reference of a volume to a ConfigMap or Secret. */
export interface DataSource {
  readonly kind: DataKind;
  readonly name: string;
  readonly optional?: boolean | undefined;
  readonly items?: readonly { readonly key: string; readonly path: string; readonly mode?: number }[] | undefined;
}

/** The files of a ConfigMap or Secret: all keys, or those that the items name. */
export function projectData(facts: VolumeFacts, source: DataSource, mode: number): Projection {
  const { kind, name, optional, items } = source;
  const data = (kind === 'ConfigMap' ? facts.configMaps : facts.secrets).get(name);
  if (data === undefined) {
    return { files: [], missing: optional ? [] : [missingObject(kind, name)], immutable: false };
  }
  if (items === undefined) {
    const files = [...data.files].map(([path, content]) => ({ path, content, mode }));
    return { files, missing: [], immutable: data.immutable };
  }
  const files = items.flatMap((item) => {
    const content = data.files.get(item.key);
    return content === undefined ? [] : [{ path: item.path, content, mode: item.mode ?? mode }];
  });
  const absent = optional ? [] : items.filter(({ key }) => !data.files.has(key));
  return { files, missing: absent.map(({ key }) => missingKey(kind, name, key)), immutable: data.immutable };
}

/** The files of the downward API. */
export function projectFields(
  pod: Pod,
  facts: VolumeFacts,
  items: readonly DownwardFile[] = [],
  mode: number,
): Projection {
  const found = items.map((item) => ({ item, text: textOf(pod, facts, item) }));
  return {
    files: found.flatMap(({ item, text }) =>
      text === undefined ? [] : [{ path: item.path, content: Buffer.from(text, 'utf8'), mode: item.mode ?? mode }],
    ),
    missing: found.flatMap(({ item, text }) => (text === undefined ? [missingField(fieldName(item))] : [])),
    immutable: false,
  };
}

function textOf(pod: Pod, facts: VolumeFacts, { fieldRef, resourceFieldRef }: DownwardFile): string | undefined {
  if (fieldRef) return podField(pod, fieldRef.fieldPath, facts);
  const container = containerOf(pod.spec, resourceFieldRef?.containerName ?? '');
  return resourceFieldRef && container && resourceField(container, resourceFieldRef, facts.allocatable);
}

function fieldName({ fieldRef, resourceFieldRef }: DownwardFile): string {
  return fieldRef?.fieldPath ?? resourceFieldRef?.resource ?? '';
}
