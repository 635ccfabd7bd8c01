/** The parts of the name of an image. */
export interface ImageName {
  readonly registry: string;
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

const DEFAULT_REGISTRY = 'docker.io';
const PATH = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const HOST =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*|\[[0-9a-fA-F:]+\])(?::\d+)?$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[0-9a-fA-F]{32,}$/;
const MAX_NAME = 255;

/** Reads the name of an image; undefined if it is none. Without tag and digest, the tag is `latest`. */
export function parseImageName(text: string): ImageName | undefined {
  const [name = '', digest, ...rest] = text.split('@');
  const [registry, remainder] = splitRegistry(name);
  const colon = remainder.lastIndexOf(':');
  const path = colon === -1 ? remainder : remainder.slice(0, colon);
  const tag = colon === -1 ? undefined : remainder.slice(colon + 1);
  const repository = registry === DEFAULT_REGISTRY && !path.includes('/') ? `library/${path}` : path;
  const isName = rest.length === 0 && name.length <= MAX_NAME && PATH.test(repository) && HOST.test(registry);
  if (!isName || (tag !== undefined && !TAG.test(tag)) || (digest !== undefined && !DIGEST.test(digest)))
    return undefined;
  if (digest !== undefined) return { registry, repository, digest, ...(tag !== undefined && { tag }) };
  return { registry, repository, tag: tag ?? 'latest' };
}

/** The full name of an image, by which equal names can be compared; the text itself if it is no name. */
export function normalImageName(text: string): string {
  const name = parseImageName(text);
  if (name === undefined) return text;
  const { registry, repository, tag, digest } = name;
  return `${registry}/${repository}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
}

/** The first part is a registry if it looks like the name of a host. */
function splitRegistry(name: string): readonly [string, string] {
  const slash = name.indexOf('/');
  const first = slash === -1 ? '' : name.slice(0, slash);
  const isHost = /[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase();
  if (!isHost) return [DEFAULT_REGISTRY, name];
  return [first === 'index.docker.io' ? DEFAULT_REGISTRY : first, name.slice(slash + 1)];
}
