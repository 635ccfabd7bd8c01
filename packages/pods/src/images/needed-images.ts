import type { Pod } from '../pod/pod.ts';
import { normalImageName, parseImageName } from './image-name.ts';

/** An image of the runtime, by all its names: tags and digests. */
export interface NamedImage {
  readonly id: string;
  readonly names: readonly string[];
}

/** What uses images. */
export interface ImageUse {
  /** The ids or names of images that containers and sandboxes are made from. */
  readonly references: readonly string[];
  /** The pods that this node has to run: one of them may start again when no registry can be reached. */
  readonly pods: readonly Pod[];
}

/** The ids of the images that something needs. An image has all its names or none, so one needed name keeps it. */
export function neededImages(images: readonly NamedImage[], { references, pods }: ImageUse): ReadonlySet<string> {
  const needed = new Set([...references, ...pods.flatMap(imagesOf)].flatMap(spellingsOf));
  const isNeeded = ({ id, names }: NamedImage): boolean =>
    [id, ...names].flatMap(spellingsOf).some((name) => needed.has(name));
  return new Set(images.filter(isNeeded).map(({ id }) => id));
}

function imagesOf({ spec }: Pod): readonly string[] {
  const all = [...spec.containers, ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])];
  return all.map(({ image }) => image);
}

/** An image that is named by tag and digest is found by its digest. */
function spellingsOf(reference: string): readonly string[] {
  const { registry, repository, digest } = parseImageName(reference) ?? {};
  const byDigest = digest === undefined ? [] : [`${registry}/${repository}@${digest}`];
  return [reference, normalImageName(reference), ...byDigest];
}
