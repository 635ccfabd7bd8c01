import { openRuntime } from '@fenestra/steps/container-runtime';

const LIMIT_MS = 2_000;

/** What the container runtime at an endpoint says it is, in the form of a Node's status; `undefined` if none answers. */
export async function readRuntimeVersion(endpoint: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const runtime = await openRuntime(endpoint, AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]));
    runtime.close();
    return `${runtime.version.name}://${runtime.version.version}`;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
