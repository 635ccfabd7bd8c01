/** What the runtime reports of one pod, in no particular order. */
export interface ObservedPod {
  readonly sandboxes: readonly ObservedSandbox[];
  readonly containers: readonly ObservedContainer[];
}

/** One sandbox of a pod. Times are milliseconds since 1970. */
export interface ObservedSandbox {
  readonly id: string;
  readonly attempt: number;
  readonly ready: boolean;
  readonly createdAt: number;
  /** The addresses of the pod, the primary one first. Empty on the host's network, and once the sandbox has stopped. */
  readonly ips: readonly string[];
  readonly hostNetwork: boolean;
}

/** One instance of a container. Times are milliseconds since 1970. */
export interface ObservedContainer {
  readonly id: string;
  readonly name: string;
  readonly sandboxId: string;
  /** How often the container had been restarted when this instance was made. */
  readonly attempt: number;
  readonly state: 'created' | 'running' | 'exited' | 'unknown';
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  readonly exitCode?: number;
  readonly reason?: string;
  readonly message?: string;
  /** The image as the pod names it. */
  readonly image: string;
  /** The image as the status of the pod reports it: the digest in its registry if known, else its id. */
  readonly imageId: string;
  readonly hash: string;
}

/** What the runtime reports of a pod that it does not know. */
export const NOTHING_OBSERVED: ObservedPod = { sandboxes: [], containers: [] };

/** The newest sandbox of a pod. */
export function newestSandbox({ sandboxes }: ObservedPod): ObservedSandbox | undefined {
  return newest(sandboxes)[0];
}

/** The instances of a container, the newest first. */
export function instancesOf({ containers }: ObservedPod, name: string): readonly ObservedContainer[] {
  return newest(containers.filter((container) => container.name === name));
}

/** Whether an instance runs, or may run. */
export function isAlive({ state }: ObservedContainer): boolean {
  return state === 'running' || state === 'unknown';
}

/** The attempt says more than the time: clocks jump. */
function newest<T extends { readonly attempt: number; readonly createdAt: number }>(items: readonly T[]): readonly T[] {
  return items.toSorted((a, b) => b.attempt - a.attempt || b.createdAt - a.createdAt);
}
