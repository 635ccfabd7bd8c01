import type { PodIdentity } from './labels.ts';

/** The name of the folder with the logs of a pod. */
export function podLogFolder({ namespace, name, uid }: PodIdentity): string {
  return `${namespace}_${name}_${uid}`;
}

/** The log of a container's instance, below the folder of its pod. */
export function containerLogPath(container: string, attempt: number): string {
  return `${container}/${attempt}.log`;
}

/** The name of the link that log collectors look for in `/var/log/containers`. */
export function legacyLogName({ namespace, name }: PodIdentity, container: string, containerId: string): string {
  return `${name}_${namespace}_${container}-${containerId}.log`;
}

/** The highest attempt that left a log among the file names of a container's log folder; undefined without any. */
export function highestLoggedAttempt(fileNames: readonly string[]): number | undefined {
  const attempts = fileNames.flatMap((name) => {
    const [, attempt] = /^(\d+)\.log(?:\.|$)/.exec(name) ?? [];
    return attempt === undefined ? [] : [Number(attempt)];
  });
  return attempts.length === 0 ? undefined : Math.max(...attempts);
}

/** The pod whose logs a folder holds; undefined for other folders. */
export function podOfLogFolder(folder: string): PodIdentity | undefined {
  const [, namespace, name, uid] = /^([^_]+)_([^_]+)_([^_]+)$/.exec(folder) ?? [];
  return namespace && name && uid ? { namespace, name, uid } : undefined;
}
